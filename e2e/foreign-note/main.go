// Verifies a signed note from standard input by the verifier keys of its arguments, as Go's checksum database does, and
// prints the name and hash of each key that has signed it.
package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/mod/sumdb/note"
)

func main() {
	var verifiers []note.Verifier
	for _, key := range os.Args[1:] {
		verifier, err := note.NewVerifier(key)
		if err != nil {
			fail(err)
		}
		verifiers = append(verifiers, verifier)
	}
	message, err := io.ReadAll(os.Stdin)
	if err != nil {
		fail(err)
	}
	opened, err := note.Open(message, note.VerifierList(verifiers...))
	if err != nil {
		fail(err)
	}
	for _, signature := range opened.Sigs {
		fmt.Printf("%s %08x\n", signature.Name, signature.Hash)
	}
	if len(opened.UnverifiedSigs) > 0 {
		fail(fmt.Errorf("%d signatures are of other keys", len(opened.UnverifiedSigs)))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
