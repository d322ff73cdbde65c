module recorded

go 1.26.0
