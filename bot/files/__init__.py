"""The user's files: where they lie (`folders`), and how they are read and written so that nothing gets lost.

`whole` replaces a file whole or not at all, `lines` lets one grow a line at a time, `lock` keeps two programs apart,
`text` and `toml` read what any editor left, and `text` makes a stranger's fit to be printed.
"""
