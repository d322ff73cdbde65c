/** The shells that can complete. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * The script that makes a shell complete the words of `name`. It asks the program itself, which answers with one
 * candidate per line: the word, a tab, and what it means. No line means that a file is expected.
 */
export function completionScript(shell: Shell, name: string): string {
  return SCRIPTS[shell](name, `_${name.replaceAll('-', '_')}`);
}

const SCRIPTS: Readonly<Record<Shell, (name: string, id: string) => string>> = {
  bash: (name, id) => `# Put this into ~/.bashrc: source <(${name} completion bash)
${id}() {
  local IFS=$'\\n' lines
  lines=$("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)
  COMPREPLY=($(compgen -W "$lines" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F ${id} ${name}
`,
  zsh: (name, id) => `#compdef ${name}
# Put this into ~/.zshrc, after compinit: source <(${name} completion zsh)
${id}() {
  local -a candidates
  local line
  while IFS= read -r line; do
    line=\${line//:/\\\\:}
    candidates+=("\${line/$'\\t'/:}")
  done < <("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then _describe '${name}' candidates; else _files; fi
}
compdef ${id} ${name}
`,
  fish: (name, id) => `# Put this into ~/.config/fish/config.fish: ${name} completion fish | source
function ${id}
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete -- $words[2..-1] 2>/dev/null
end
complete -c ${name} -n 'count (${id}) >/dev/null' -f
complete -c ${name} -a '(${id})'
`,
};
