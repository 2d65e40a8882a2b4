import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { TextModels } from '../language-model.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { findPackage, loadPackage, type PackageSource } from './load-package.ts';

/** The surroundings of local weights; nothing is ever downloaded. */
interface OpeningWeights extends PackageSource {
  /** The parent folder of each model's folder. */
  readonly weights: string;
}

const PACKAGE = '@huggingface/transformers';

/** The models that the strategies are made for, by folder name. */
const MODELS = {
  embedding: 'all-MiniLM-L6-v2',
  ranking: 'ms-marco-MiniLM-L-6-v2',
  inference: 'nli-deberta-v3-base',
} as const;

/** Opens the local models by the user's own transformers.js, or returns what is missing. */
export async function openLocalWeights({
  weights,
  projectRoot,
  whyNotLoaded,
}: OpeningWeights): Promise<Outcome<TextModels, string>> {
  const found = findPackage(PACKAGE, projectRoot);
  if (found === undefined)
    return failure(`not installed: ${PACKAGE}; npm install ${PACKAGE}, or choose another strategy`);
  const why = await whyNotLoaded(found);
  if (why !== undefined) return failure(why);
  const library = (await loadPackage(found)) as unknown as Library;
  Object.assign(library.env, { allowRemoteModels: false, allowLocalModels: true, localModelPath: weights });
  const opened = new Map<string, Promise<unknown>>();
  const once = <Value>(name: string, open: (name: string) => Promise<Value>): Promise<Value> => {
    if (openDir(weights).stat(name) === undefined)
      throw new Error(`missing folder ${name} in ${weights} (llm.weights)`);
    const known = opened.get(name) ?? open(name);
    opened.set(name, known);
    return known as Promise<Value>;
  };
  const pair = async (name: string, first: string, second: string) => {
    const { tokenizer, model } = await once(name, async () => ({
      tokenizer: await library.AutoTokenizer.from_pretrained(name),
      model: await library.AutoModelForSequenceClassification.from_pretrained(name),
    }));
    const { logits } = await model(tokenizer([first], { text_pair: [second], padding: true, truncation: true }));
    return { logits: [...logits.data].map(requireFinite), labels: model.config?.id2label ?? {} };
  };
  return success({
    async similarity(one, other) {
      const extract = await once(MODELS.embedding, (name) => library.pipeline('feature-extraction', name));
      const { data } = await extract([one, other], { pooling: 'mean', normalize: true });
      const numbers = Array.from(data);
      const first = numbers.slice(0, numbers.length / 2);
      return requireFinite(first.reduce((sum, value, at) => sum + value * (numbers[first.length + at] ?? 0), 0));
    },
    async answers(question, passage) {
      const { logits } = await pair(MODELS.ranking, question, passage);
      return 1 / (1 + Math.exp(-requireFinite(logits[0] ?? Number.NaN)));
    },
    async carries(context, text) {
      const { logits, labels } = await pair(MODELS.inference, context, text);
      const best = logits.indexOf(Math.max(...logits));
      const label = WORDS.find((word) => String(labels[best]).toLowerCase().startsWith(word.slice(0, 6)));
      if (label === undefined) throw new Error(`${MODELS.inference} has an unknown label`);
      return label;
    },
  });
}

const WORDS = ['entailment', 'neutral', 'contradiction'] as const;

function requireFinite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new Error('the model returned no number');
}

interface Tensor {
  readonly data: Float32Array | readonly number[];
}

/** The part of the library that andon uses. */
interface Library {
  readonly env: object;
  readonly pipeline: (
    task: 'feature-extraction',
    model: string,
  ) => Promise<(texts: readonly string[], options: object) => Promise<Tensor>>;
  readonly AutoTokenizer: {
    readonly from_pretrained: (model: string) => Promise<(texts: readonly string[], options: object) => object>;
  };
  readonly AutoModelForSequenceClassification: {
    readonly from_pretrained: (model: string) => Promise<
      ((inputs: object) => Promise<{ readonly logits: Tensor }>) & {
        readonly config?: { readonly id2label?: Readonly<Record<number, unknown>> };
      }
    >;
  };
}
