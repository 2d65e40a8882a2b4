import type { AgentFailure } from '../../ports/agent.ts';
import type { Ending } from '../processes/command.ts';
import { describeSignalEnd, describeEarlyEnd, createFailure, getLastLine } from './agent-program.ts';
import { withoutSpinner } from './ollama-output.ts';
import { quoteModelName } from './ollama-program.ts';

/** Why a command of `ollama` failed, as far as it can be determined; undefined when it ended with 0. */
export function explainOllamaFailure(ending: Ending, model: string): AgentFailure | undefined {
  const early = describeEarlyEnd('ollama', ending);
  if (early) return early;
  if (ending.exit === 0) return undefined;
  const said = getLastLine(withoutSpinner(ending.stderr));
  const known = CAUSES.find(({ says }) => says.test(said));
  if (known) return createFailure(known.kind, known.sentence(model, said), ending);
  const how = describeSignalEnd(ending) ?? ending.exit ?? 'no exit code';
  return createFailure('crash', `ollama ended with ${how}${said === '' ? '' : `: ${said}`}`, ending);
}

/** Causes by the last line of stderr. An answer that breaks off is a crash instead. */
const CAUSES: readonly {
  readonly says: RegExp;
  readonly kind: AgentFailure['kind'];
  sentence(model: string, said: string): string;
}[] = [
  // First, because the registry of a pull may be unreachable.
  {
    says: /pull model manifest|model .*not found/i,
    kind: 'refused',
    sentence: (model) => `ollama has no model ${model}; get it with \`ollama pull ${quoteModelName(model)}\``,
  },
  {
    says: /could not connect|connection refused|no route to host|network is unreachable|i\/o timeout/i,
    kind: 'unavailable',
    sentence: () => 'the ollama server is not running; start it with `ollama serve`',
  },
  {
    says: /server busy|maximum pending requests/i,
    kind: 'unavailable',
    sentence: () => 'the ollama server has too many requests waiting',
  },
  {
    says: /no such host|invalid (?:port|host)/i,
    kind: 'refused',
    sentence: (_, said) => `ollama looks for its server in the wrong place (${said}); correct OLLAMA_HOST`,
  },
  {
    says: /unknown (?:shorthand )?flag/i,
    kind: 'refused',
    sentence: (_, said) => `this ollama is too old (${said}); update it: https://ollama.com/download`,
  },
  {
    says: /requires more (?:system|GPU) memory|out of memory|cudaMalloc failed/i,
    kind: 'refused',
    sentence: (model, said) => `${model} does not fit into memory (${said}); take a smaller model or a smaller window`,
  },
  {
    says: /signed in|unauthorized/i,
    kind: 'refused',
    sentence: (model) => `${model} is a cloud model and ollama is not signed in; run \`ollama signin\``,
  },
];
