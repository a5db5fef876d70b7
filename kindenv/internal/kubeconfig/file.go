package kubeconfig

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"go.yaml.in/yaml/v3"
)

// file is a kubeconfig as a tree of YAML nodes, so that what is not understood
// here (unknown fields, comments, the order of things) is written back as it was.
type file struct {
	head []byte     // the text of a file that has comments only
	doc  *yaml.Node // the document node
	root *yaml.Node // its mapping
	dos  bool       // its lines end with CR LF
}

// sections are the lists whose entries have names.
func sections() []string { return []string{"clusters", "users", "contexts"} }

// errNotRegular is about what can't be replaced by a file, or read twice.
var errNotRegular = errors.New("it is not a regular file")

// readFile reads a regular file: no folder, device or pipe.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	content, err := os.ReadFile(path)
	if content == nil && err == nil {
		content = []byte{}
	}
	return content, err
}

// parse refuses content that is not a kubeconfig, so that nothing of it is lost.
func parse(content []byte) (*file, error) {
	unix := bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	f, err := parseUnix(unix)
	if err == nil {
		// as long as there are no other line ends
		f.dos = len(unix) < len(content) && bytes.Count(unix, []byte("\n")) == len(content)-len(unix)
	}
	return f, err
}

func parseUnix(content []byte) (*file, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	var doc, more yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return empty(content), nil
	case err != nil:
		return nil, fmt.Errorf("not valid YAML: %w", err)
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errors.New("has more than one YAML document, where kubectl reads one only")
	}
	spellNulls(&doc, false)
	f := &file{doc: &doc, root: doc.Content[0]}
	if isNull(f.root) {
		return empty(content), nil
	}
	if f.root.Kind != yaml.MappingNode {
		return nil, errors.New("not a kubeconfig: its top level is not a mapping")
	}
	for _, section := range sections() {
		if list := f.field(section); list != nil && !isNull(list) && list.Kind != yaml.SequenceNode {
			return nil, fmt.Errorf("not a kubeconfig: %s is not a list", section)
		}
	}
	return f, nil
}

// empty makes a kubeconfig with nothing in it.
func empty(head []byte) *file {
	root := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	f := &file{head: bytes.TrimSpace(head), root: root, doc: &yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{root}}}
	if !bytes.HasPrefix(f.head, []byte("#")) {
		f.head = nil
	}
	f.set("apiVersion", scalar("v1"))
	f.set("kind", scalar("Config"))
	return f
}

// encode writes the kubeconfig in kubectl's layout.
func (f *file) encode() ([]byte, error) {
	var b bytes.Buffer
	if len(f.head) > 0 {
		b.Write(append(f.head, '\n'))
	}
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(f.doc); err != nil {
		return nil, fmt.Errorf("encode kubeconfig: %w", err)
	}
	if err := encoder.Close(); err != nil {
		return nil, fmt.Errorf("encode kubeconfig: %w", err)
	}
	// an alias whose anchor was in a replaced or removed entry would make a file that nobody can read
	var readable any
	if err := yaml.Unmarshal(b.Bytes(), &readable); err != nil {
		return nil, fmt.Errorf("encode kubeconfig: %w", err)
	}
	if f.dos {
		return bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte("\r\n")), nil
	}
	return b.Bytes(), nil
}

func scalar(value string) *yaml.Node {
	node := new(yaml.Node)
	node.SetString(value) // quotes what YAML would read as something else
	return node
}

func isNull(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.Tag == "!!null"
}
