#!/usr/bin/env bash
# One task by hand, as a shell script would do it, with stub agents: what andon's mechanical work is measured against.
# usage: baseline-task.sh <repository> <task id> [switch|worktree]
set -euo pipefail

if [ $# -lt 2 ] || [ $# -gt 3 ]; then
  echo "usage: baseline-task.sh <repository> <task id> [switch|worktree]" >&2
  exit 2
fi
repository="$(cd "$1" && pwd)"
task="$2"
mode="${3:-switch}"
case "$mode" in switch | worktree) ;; *)
  echo "baseline-task.sh: unknown mode $mode; expected switch or worktree" >&2
  exit 2
  ;;
esac
if ! command -v jq >/dev/null; then
  echo "baseline-task.sh: jq is not installed; install it (apt-get install jq) and try again" >&2
  exit 2
fi

cd "$repository"
main="$(git symbolic-ref --short HEAD)"
branch="task/$task"
handoff="_handoff"
contract="$handoff/TASK_CONTRACT.json"
mkdir -p "$handoff"
printf '{"schema_version":"1.0","task_id":"%s","status":"pending_implementer","history":[]}\n' "$task" >"$contract"

status() {
  jq --arg status "$1" --arg at "$(date -u +%FT%TZ)" \
    '.status = $status | .timestamps.updated_at = $at | .history += [{status: $status, at: $at}]' \
    "$contract" >"$contract.tmp"
  mv "$contract.tmp" "$contract"
}

# The implementer: a branch of its own, one file, one commit.
tree="$repository"
if [ "$mode" = worktree ]; then
  tree="$(mktemp -d)/tree"
  git worktree add --quiet -b "$branch" "$tree" "$main"
else
  git switch --quiet --create "$branch"
fi
sh -c 'mkdir -p "$1/notes/$2" && printf "# %s\n\nOne line that every task has in common.\n" "$2" >"$1/notes/$2/note.md"' \
  implementer "$tree" "$task"
git -C "$tree" add "notes/$task/note.md"
git -C "$tree" commit --quiet --message "$task: attempt 1"
status pending_local_review

# The local reviewer: counts the lines of the diff.
git diff "$main" "$branch" >"$handoff/$task.diff"
sh -c 'wc -l <"$1" >"$2"' reviewer "$handoff/$task.diff" "$handoff/$task.review"
status pending_judge_review

# The judge: writes a report, whose verdict is read.
status review_in_progress
sh -c 'printf "{\"task_id\":\"%s\",\"verdict\":\"PASS\",\"blocking_issues\":[]}\n" "$1" >"$2"' \
  judge "$task" "$handoff/JUDGE_REPORT.json"
verdict="$(jq --raw-output .verdict "$handoff/JUDGE_REPORT.json")"
status review_complete
if [ "$verdict" != PASS ]; then
  echo "baseline-task.sh: the judge said $verdict" >&2
  exit 1
fi

# The merge.
if [ "$mode" = worktree ]; then
  git worktree remove --force "$tree"
  rmdir "${tree%/tree}"
else
  git switch --quiet "$main"
fi
git merge --quiet --no-ff --message "Merge $branch" "$branch"
git branch --quiet -d "$branch"
status merged
