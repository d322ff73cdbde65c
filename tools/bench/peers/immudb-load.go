// Writes values of 1 KiB to an immudb and prints their rate as JSON: immudb-load PORT WORKERS SECONDS set|verified|batch
// It is built within a copy of immudb's own module, so it needs no module of its own.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/codenotary/immudb/pkg/api/schema"
	"github.com/codenotary/immudb/pkg/client"
)

const valueBytes = 1024

// Values of one SetAll, which is one transaction.
const batchValues = 64

// Writes the value under so many keys, all of which begin with this one.
type write struct {
	values int
	send   func(ctx context.Context, key string, value []byte) error
}

func main() {
	if len(os.Args) != 5 {
		exit(fmt.Errorf("usage: immudb-load PORT WORKERS SECONDS set|verified|batch"))
	}
	numbers := make([]int, 3)
	for n := range numbers {
		value, err := strconv.Atoi(os.Args[1+n])
		exit(err)
		numbers[n] = value
	}
	port, workers, seconds := numbers[0], numbers[1], numbers[2]
	writes := make([]write, workers)
	for n := range writes {
		one, err := open(port, os.Args[4])
		exit(err)
		writes[n] = one
	}
	counts := make([]int, workers)
	var group sync.WaitGroup
	start := time.Now()
	end := start.Add(time.Duration(seconds) * time.Second)
	for n, one := range writes {
		group.Add(1)
		go func() {
			defer group.Done()
			value := make([]byte, valueBytes)
			for time.Now().Before(end) {
				key := fmt.Sprintf("key-%d-%d-%d", start.UnixNano(), n, counts[n])
				exit(one.send(context.Background(), key, value))
				counts[n] += one.values
			}
		}()
	}
	group.Wait()
	total := 0
	for _, count := range counts {
		total += count
	}
	exit(json.NewEncoder(os.Stdout).Encode(map[string]float64{
		"requests": float64(total), "perSecond": float64(total) / time.Since(start).Seconds(),
	}))
}

// A session of its own, with a folder of its own for the state that verification remembers.
func open(port int, kind string) (write, error) {
	folder, err := os.MkdirTemp("", "immudb-load")
	if err != nil {
		return write{}, err
	}
	options := client.DefaultOptions().WithAddress("127.0.0.1").WithPort(port).WithDir(folder)
	session := client.NewClient().WithOptions(options)
	if err := session.OpenSession(context.Background(), []byte("immudb"), []byte("immudb"), "defaultdb"); err != nil {
		return write{}, err
	}
	switch kind {
	case "set":
		return write{1, func(ctx context.Context, key string, value []byte) error {
			_, err := session.Set(ctx, []byte(key), value)
			return err
		}}, nil
	case "verified":
		return write{1, func(ctx context.Context, key string, value []byte) error {
			_, err := session.VerifiedSet(ctx, []byte(key), value)
			return err
		}}, nil
	case "batch":
		return write{batchValues, func(ctx context.Context, key string, value []byte) error {
			batch := make([]*schema.KeyValue, batchValues)
			for n := range batch {
				batch[n] = &schema.KeyValue{Key: fmt.Appendf(nil, "%s-%d", key, n), Value: value}
			}
			_, err := session.SetAll(ctx, &schema.SetRequest{KVs: batch})
			return err
		}}, nil
	}
	return write{}, fmt.Errorf("%s is no kind of write", kind)
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
