"""Reports as pages, as Markdown, and as files of pictures and numbers."""
