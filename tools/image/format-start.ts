/**
 * The script of a command of the image. The kernel drops a SIGTERM for the first process of a container while that has
 * no handler, and Node has none until it has read the program. So there the shell stays the first process, and passes
 * on what it is asked; everywhere else it becomes Node.
 */
export function formatStart(node: string): string {
  return `[ "$$" = 1 ] || exec ${node}
child='' asked=''
trap 'asked=yes; [ -z "$child" ] || kill -TERM "$child" 2>/dev/null' TERM INT
${node} <&0 &
child=$!
[ -z "$asked" ] || kill -TERM "$child"
while :; do
  status=0
  wait "$child" || status=$?
  kill -0 "$child" 2>/dev/null || exit "$status"
done
`;
}
