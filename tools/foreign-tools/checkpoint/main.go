// Command checkpoint verifies a signed checkpoint, which it reads from its standard input, by the verifier keys that are
// its arguments: Ed25519 (type 1) by golang.org/x/mod/sumdb/note, and cosignatures of ML-DSA-44 (type 6) by
// filippo.io/mldsa. It prints the name and the type of each key that signed, and fails unless all did.
package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"filippo.io/mldsa"
	"golang.org/x/mod/sumdb/note"
)

const mlDSA44 = 6

// cosigner verifies the cosignatures of one ML-DSA-44 key (C2SP tlog-cosignature).
type cosigner struct {
	name string
	hash uint32
	key  *mldsa.PublicKey
}

func (c *cosigner) Name() string    { return c.name }
func (c *cosigner) KeyHash() uint32 { return c.hash }

func (c *cosigner) Verify(text, signature []byte) bool {
	lines := strings.Split(string(text), "\n")
	if len(lines) < 4 || len(signature) != 8+mldsa.MLDSA44SignatureSize {
		return false
	}
	size, err := strconv.ParseUint(lines[1], 10, 64)
	if err != nil {
		return false
	}
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(root) != 32 {
		return false
	}
	message := []byte("subtree/v1\n\x00")
	message = append(message, byte(len(c.name)))
	message = append(message, c.name...)
	message = append(message, signature[:8]...)
	message = append(message, byte(len(lines[0])))
	message = append(message, lines[0]...)
	message = binary.BigEndian.AppendUint64(message, 0)
	message = binary.BigEndian.AppendUint64(message, size)
	message = append(message, root...)
	return mldsa.Verify(c.key, message, signature[8:], nil) == nil
}

// verifierOf reads a verifier key, and says its type.
func verifierOf(vkey string) (note.Verifier, byte, error) {
	name, rest, _ := strings.Cut(vkey, "+")
	_, encoded, _ := strings.Cut(rest, "+")
	key, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(key) == 0 {
		return nil, 0, fmt.Errorf("not a verifier key: %s", vkey)
	}
	if key[0] != mlDSA44 {
		verifier, err := note.NewVerifier(vkey)
		return verifier, key[0], err
	}
	public, err := mldsa.NewPublicKey(mldsa.MLDSA44(), key[1:])
	if err != nil {
		return nil, 0, err
	}
	sum := sha256.Sum256(append([]byte(name+"\n"), key...))
	return &cosigner{name, binary.BigEndian.Uint32(sum[:4]), public}, mlDSA44, nil
}

func run(vkeys []string) error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	var verifiers []note.Verifier
	types := map[uint32]byte{}
	for _, vkey := range vkeys {
		verifier, kind, err := verifierOf(vkey)
		if err != nil {
			return err
		}
		verifiers = append(verifiers, verifier)
		types[verifier.KeyHash()] = kind
	}
	opened, err := note.Open(text, note.VerifierList(verifiers...))
	if err != nil {
		return err
	}
	for _, signature := range opened.Sigs {
		fmt.Println(signature.Name, types[signature.Hash])
	}
	if len(opened.Sigs) != len(vkeys) {
		return fmt.Errorf("%d of %d keys signed it", len(opened.Sigs), len(vkeys))
	}
	return nil
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
