module github.com/magekind/magekind/magefiles/images

go 1.26.0
