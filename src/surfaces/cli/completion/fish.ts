import { argumentCases, optionCases } from './words.ts';
import type { CommandWords } from './words.ts';

/** The completion of fish, from 3.0 on. */
export const fishScript = (
  commands: readonly CommandWords[],
): string => `# What \`andon completion fish\` prints; made from the commands of this andon, so print it anew after an update.
function __andon_option
    switch $argv[1]
${[...optionCases(commands)].map(([takes, places]) => `        case ${places.map(quoted).join(' ')}\n            echo ${quoted(takes)}`).join('\n')}
    end
end

function __andon_argument
    switch $argv[1]
${argumentCases(commands)
  .map(([place, takes]) => `        case ${quoted(place)}\n            echo ${quoted(takes)}`)
  .join('\n')}
    end
end

# What may follow these words: @files, @tasks, @waiting, @text, the words themselves, or nothing.
function __andon_next
    set -l command $argv[1]
    set -l takes ''
    set -l position 0
    for word in $argv[2..-1]
        switch $word
            case '--*=*'
                set takes ''
            case '--*'
                set takes (__andon_option "$command $word")
            case '*'
                switch "$takes"
                    case ''
                        set position (math $position + 1)
                    case '+*'
                    case '*'
                        set takes ''
                end
        end
    end
    if test -n "$takes"
        string replace -r '^\\+' '' -- $takes
    else
        __andon_argument "$command $position"
    end
end

function __andon_options
    switch $argv[1]
${commands.map(({ name, options }) => `        case ${name}\n            printf '%s\\t%s\\n' ${options.map(({ flag, text }) => `${flag} ${quoted(text)}`).join(' ')}`).join('\n')}
    end
end

function __andon
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l before ''
    set -l takes ''
    if test (count $typed) -eq 1
        printf '%s\\t%s\\n' ${commands.map(({ name, text }) => `${name} ${quoted(text)}`).join(' ')} --help 'every command' --version 'which andon this is'
        return
    end
    switch "$current"
        case '--*=*'
            set before (string replace -r '=.*' '=' -- $current)
            set takes (__andon_next $typed[2..-1] (string replace -r '=.*' '' -- $current))
        case '-*'
            __andon_options $typed[2]
            return
        case '*'
            set takes (__andon_next $typed[2..-1])
    end
    switch "$takes"
        case @files
            __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current") | string replace -r -- '^' "$before"
        case @tasks
            command andon completion tasks 2>/dev/null | string replace -r -- '^' "$before"
        case @waiting
            command andon completion waiting 2>/dev/null | string replace -r -- '^' "$before"
        case @text ''
        case '*'
            string split ' ' -- $takes | string replace -r -- '^' "$before"
    end
end

complete -c andon -f -a '(__andon)'
`;

/** Text as one word of fish. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
