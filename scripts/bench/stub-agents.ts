import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The line that every task adds and the stub judge quotes; the shell script's stub writes the same. */
const LINE = 'One line that every task has in common.';

/**
 * `ollama` as little as andon takes: it knows both models, has them loaded, answers at once. When BENCH_MARKS names a
 * folder, a file there says that an agent was started, and a file beside it that ends in `.flood` is what the writer answers. A file
 * beside it that ends in `.log` gets a row for every start.
 */
const OLLAMA = `#!/bin/sh
if [ -f "$BENCH_MARKS.log" ]; then echo "ollama $1" >>"$BENCH_MARKS.log"; fi
case "$1" in
  --version) echo 'ollama version is 0.33.0' ;;
  show)
    if [ -n "$BENCH_MARKS" ]; then : >"$BENCH_MARKS/$$"; fi
    echo '  Model' ;;
  ps)
    echo 'NAME               CONTEXT    UNTIL'
    echo 'writer:latest      131072     Forever'
    echo 'reviewer:latest    131072     Forever' ;;
  run)
    if [ -n "$BENCH_MARKS" ]; then : >"$BENCH_MARKS/$$"; fi
    case "$2" in
      writer)
        if [ -f "$BENCH_MARKS.flood" ]; then cat "$BENCH_MARKS.flood"; : >"$BENCH_MARKS.flood.sent"
        else printf '\`\`\`\\n# note\\n\\n${LINE}\\n\`\`\`\\n'; fi ;;
      reviewer) echo '{"verdict":"PASS","critical_security_flaw":false,"findings":[]}' ;;
    esac
    printf 'prompt eval count:    100 token(s)\\neval count:           10 token(s)\\n' >&2 ;;
esac
`;

/** `claude` in print mode: it reads the change and gives a PASS that is bound to what it was asked about and quotes the line. */
const CLAUDE = `#!/bin/sh
if [ -f "$BENCH_MARKS.log" ]; then echo "claude $1" >>"$BENCH_MARKS.log"; fi
if [ "$1" = --version ]; then echo '2.1.330 (Claude Code)'; exit; fi
while IFS= read -r line; do
  case "$line" in
    'task_id: '*) task="\${line#task_id: }" ;;
    'commit: '*) commit="\${line#commit: }" ;;
    'contract_digest: '*) digest="\${line#contract_digest: }"; break ;;
  esac
done
printf '{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"%s/change.diff"}}]}}\\n' "$PWD"
printf '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"1"}]}}\\n'
printf '{"type":"result","subtype":"success","is_error":false,"result":"","total_cost_usd":0.01,"structured_output":{"task_id":"%s","commit":"%s","contract_digest":"%s","verdict":"PASS","summary":"good","blocking_issues":[],"required_fixes":[],"suggestions":[],"security_flags":[],"evidence":[{"file":"","line":null,"quote":"${LINE}"}]}}\\n' "$task" "$commit" "$digest"
`;

/** Writes both programs into a folder and gives back their paths. They cost what the script's stubs cost: one sh each. */
export function writeStubAgents(folder: string): { readonly ollama: string; readonly claude: string } {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    chmodSync(file, 0o755);
    return file;
  };
  return { ollama: write('ollama', OLLAMA), claude: write('claude', CLAUDE) };
}

/** The contract of one task: one new file, named after it. */
export const contractFor = (taskId: string, more: object = {}): object => ({
  schema_version: '1.0',
  task_id: taskId,
  project: 'bench',
  roles: { implementer: 'writer', local_reviewer: 'reviewer', judge: 'claude-code-cli' },
  constraints: { allowed_paths: [`notes/${taskId}/`] },
  specification: { target_file: `notes/${taskId}/note.md`, requirements: ['Write the note'] },
  ...more,
});
