package kubeconfig

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// field returns the value of a field of the root, or nil.
func (f *file) field(name string) *yaml.Node { return lookup(f.root, name) }

// lookup returns the value of key in a mapping, or nil.
func lookup(mapping *yaml.Node, key string) *yaml.Node {
	if mapping.Kind == yaml.AliasNode {
		mapping = mapping.Alias
	}
	if mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// set replaces the value of a field of the root, or adds the field.
func (f *file) set(name string, value *yaml.Node) {
	if old := f.field(name); old != nil {
		value.HeadComment, value.LineComment, value.FootComment = old.HeadComment, old.LineComment, old.FootComment
		*old = *value
		return
	}
	f.root.Content = append(f.root.Content, scalar(name), value)
}

func (f *file) currentContext() string {
	if value := f.field("current-context"); value != nil && !isNull(value) {
		return text(value)
	}
	return ""
}

// setCurrentContext reports whether that changed anything.
func (f *file) setCurrentContext(name string) bool {
	if f.currentContext() == name {
		return false
	}
	f.set("current-context", scalar(name))
	return true
}

// index returns the place of the entry called name in a section, or -1.
func (f *file) index(section, name string) int {
	list := f.field(section)
	if list == nil || list.Kind != yaml.SequenceNode {
		return -1
	}
	return slices.IndexFunc(list.Content, func(entry *yaml.Node) bool { return named(entry, name) })
}

// hasEntry reports whether a section has an entry called name.
func (f *file) hasEntry(name string) bool {
	return slices.ContainsFunc(sections(), func(section string) bool { return f.index(section, name) >= 0 })
}

func named(entry *yaml.Node, name string) bool {
	value := lookup(entry, "name")
	return value != nil && text(value) == name
}

// text is what a scalar says, also one that stands elsewhere.
func text(value *yaml.Node) string {
	if value.Kind == yaml.AliasNode {
		value = value.Alias
	}
	return value.Value
}

// merge replaces entries of other's names by other's, and appends the rest.
func (f *file) merge(other *file) {
	for _, field := range []string{"apiVersion", "kind"} { // some clients insist on them
		if value := other.field(field); value != nil && f.field(field) == nil {
			f.set(field, value)
		}
	}
	for _, section := range sections() {
		theirs := other.field(section)
		if theirs == nil || isNull(theirs) {
			continue
		}
		if list := f.field(section); list == nil || isNull(list) {
			f.set(section, &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"})
		}
		list := f.field(section)
		f.fill(section, list)
		for _, entry := range theirs.Content {
			name := lookup(entry, "name")
			if name == nil {
				continue
			}
			if i := f.index(section, name.Value); i >= 0 {
				list.Content[i] = entry
			} else {
				list.Content = append(list.Content, entry)
			}
		}
	}
}

// remove drops the entries called name and clears the current context if it is
// name. It reports whether there was anything to remove.
func (f *file) remove(name string) bool {
	changed := false
	for _, section := range sections() {
		if f.index(section, name) < 0 {
			continue
		}
		list := f.field(section)
		list.Content = slices.DeleteFunc(list.Content, func(entry *yaml.Node) bool { return named(entry, name) })
		f.drain(section, list)
		changed = true
	}
	if f.currentContext() == name {
		f.set("current-context", scalar(""))
		changed = true
	}
	return changed
}

// fill prepares a section that may be empty, "[] # comment", for entries on lines of their own.
func (f *file) fill(section string, list *yaml.Node) {
	if len(list.Content) > 0 || f.root.Style&yaml.FlowStyle != 0 {
		return
	}
	list.Style &^= yaml.FlowStyle
	if key := f.key(section); list.LineComment != "" && key.LineComment == "" {
		key.LineComment, list.LineComment = list.LineComment, ""
	}
}

// drain is for a section that may have become empty. A comment behind its name
// would come before the brackets, and make the file one that nobody can read.
func (f *file) drain(section string, list *yaml.Node) {
	if key := f.key(section); len(list.Content) == 0 && key.LineComment != "" {
		list.HeadComment, list.FootComment = "", ""
		list.LineComment, key.LineComment = key.LineComment, ""
	}
}

// key returns the name of a field of the root that is there.
func (f *file) key(name string) *yaml.Node {
	for i := 0; i+1 < len(f.root.Content); i += 2 {
		if f.root.Content[i].Value == name {
			return f.root.Content[i]
		}
	}
	return new(yaml.Node)
}
