module checkpoint

go 1.26

require (
	filippo.io/mldsa v1.0.0
	golang.org/x/mod v0.24.0
)
