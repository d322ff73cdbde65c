// Verifies an entry of a log of Rekor v2 in a bundle of Sigstore: verify-entry TRUSTED_ROOT BUNDLE KEY ARTEFACT
// KEY is the public key in PEM that signed the artefact. It is built within a copy of sigstore-go's own module, so it
// needs no module of its own.
package main

import (
	"crypto"
	"fmt"
	"os"
	"time"

	"github.com/sigstore/sigstore-go/pkg/bundle"
	"github.com/sigstore/sigstore-go/pkg/root"
	"github.com/sigstore/sigstore-go/pkg/verify"
	"github.com/sigstore/sigstore/pkg/cryptoutils"
	"github.com/sigstore/sigstore/pkg/signature"
)

func main() {
	if len(os.Args) != 5 {
		exit(fmt.Errorf("usage: verify-entry TRUSTED_ROOT BUNDLE KEY ARTEFACT"))
	}
	if err := verifyEntry(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		exit(err)
	}
	fmt.Println("verified")
}

func verifyEntry(rootPath, bundlePath, keyPath, artefactPath string) error {
	trusted, err := root.NewTrustedRootFromPath(rootPath)
	if err != nil {
		return err
	}
	shown, err := bundle.LoadJSONFromPath(bundlePath)
	if err != nil {
		return err
	}
	key, err := readKey(keyPath)
	if err != nil {
		return err
	}
	keys := root.NewTrustedPublicKeyMaterial(func(string) (root.TimeConstrainedVerifier, error) { return key, nil })
	material := root.TrustedMaterialCollection{keys, trusted}
	verifier, err := verify.NewVerifier(material, verify.WithTransparencyLog(1), verify.WithNoObserverTimestamps())
	if err != nil {
		return err
	}
	artefact, err := os.Open(artefactPath)
	if err != nil {
		return err
	}
	defer artefact.Close()
	_, err = verifier.Verify(shown, verify.NewPolicy(verify.WithArtifact(artefact), verify.WithKey()))
	return err
}

func readKey(path string) (*root.ExpiringKey, error) {
	pem, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	public, err := cryptoutils.UnmarshalPEMToPublicKey(pem)
	if err != nil {
		return nil, err
	}
	verifier, err := signature.LoadVerifier(public, crypto.SHA256)
	if err != nil {
		return nil, err
	}
	return root.NewExpiringKey(verifier, time.Time{}, time.Time{}), nil
}

func exit(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
