// Code under test that forges the results of `go test`.

/** Runs itself again, and prints that output with every failure turned into a pass. */
export const printsPasses = (name: string): string => `package ${name}

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

func init() {
	if !strings.HasSuffix(os.Args[0], ".test") || os.Getenv("INNER") != "" {
		return
	}
	inner := exec.Command(os.Args[0], os.Args[1:]...)
	inner.Env = append(os.Environ(), "INNER=1")
	output, _ := inner.Output()
	fmt.Print(strings.ReplaceAll(strings.ReplaceAll(string(output), "--- FAIL:", "--- PASS:"), "FAIL\\n", "PASS\\n"))
	os.Exit(0)
}
`
