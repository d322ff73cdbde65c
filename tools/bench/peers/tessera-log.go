// A Tessera log on a POSIX file system that answers with all that the library offers: entries that came before get the
// index of the first, and the response is an inclusion proof and the signed checkpoint that it is under.
// tessera-log FOLDER KEYFILE LISTEN; it is built within a copy of Tessera's own module, so it needs no module of its own.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/transparency-dev/formats/log"
	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/client"
	"github.com/transparency-dev/tessera/storage/posix"
	antispam "github.com/transparency-dev/tessera/storage/posix/antispam"
	"golang.org/x/mod/sumdb/note"
)

// The shortest times for which a response waits at a tolerable load of the disk: a batch is not delayed to fill up.
const (
	checkpointInterval = 100 * time.Millisecond
	batchSize          = 256
	batchAge           = 20 * time.Millisecond
	pollInterval       = 5 * time.Millisecond
	// It keeps contents in mind some time after the log; with its default it refuses entries that come faster.
	pushbackThreshold = 1 << 20
)

type shown struct {
	Index      uint64   `json:"index"`
	Proof      [][]byte `json:"proof"`
	Checkpoint string   `json:"checkpoint"`
}

func main() {
	if len(os.Args) != 4 {
		exit(fmt.Errorf("usage: tessera-log FOLDER KEYFILE LISTEN"))
	}
	folder, keyFile, listen := os.Args[1], os.Args[2], os.Args[3]
	ctx := context.Background()
	key, err := os.ReadFile(keyFile)
	exit(err)
	signer, err := note.NewSigner(string(key))
	exit(err)
	driver, err := posix.New(ctx, posix.Config{Path: folder})
	exit(err)
	options := antispam.AntispamOpts{PushbackThreshold: pushbackThreshold}
	seen, err := antispam.NewAntispam(ctx, filepath.Join(folder, ".state", "antispam"), options)
	exit(err)
	appender, _, reader, err := tessera.NewAppender(ctx, driver, tessera.NewAppendOptions().
		WithCheckpointSigner(signer).
		WithCheckpointInterval(checkpointInterval).
		WithBatching(batchSize, batchAge).
		WithAntispam(tessera.DefaultAntispamInMemorySize, seen))
	exit(err)
	awaiter := tessera.NewPublicationAwaiter(ctx, reader.ReadCheckpoint, pollInterval)
	proofs := &builders{fetch: reader.ReadTile}
	http.HandleFunc("POST /add", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err == nil {
			err = add(request.Context(), appender, awaiter, proofs, body, response)
		}
		if err != nil {
			http.Error(response, err.Error(), http.StatusInternalServerError)
		}
	})
	exit(http.ListenAndServe(listen, nil))
}

func add(
	ctx context.Context, appender *tessera.Appender, awaiter *tessera.PublicationAwaiter, proofs *builders,
	body []byte, response http.ResponseWriter,
) error {
	place, checkpoint, err := awaiter.Await(ctx, appender.Add(ctx, tessera.NewEntry(body)))
	if err != nil {
		return err
	}
	var published log.Checkpoint
	if _, err := published.Unmarshal(checkpoint); err != nil {
		return err
	}
	proof, err := proofs.prove(ctx, place.Index, published.Size)
	if err != nil {
		return err
	}
	return json.NewEncoder(response).Encode(shown{place.Index, proof, string(checkpoint)})
}

// One builder, with what it has read, for all proofs under one checkpoint.
type builders struct {
	fetch client.TileFetcherFunc
	lock  sync.Mutex
	size  uint64
	last  *client.ProofBuilder
}

func (b *builders) prove(ctx context.Context, index, size uint64) ([][]byte, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.last == nil || b.size != size {
		builder, err := client.NewProofBuilder(ctx, size, b.fetch)
		if err != nil {
			return nil, err
		}
		b.last, b.size = builder, size
	}
	return b.last.InclusionProof(ctx, index)
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
