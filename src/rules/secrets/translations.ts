import { isPasswordLike, isRandomValue } from './values.ts';

/** A text of a translation file: only text unfit for a form is a secret there. */
export const isTranslation = (path: string, value: string): boolean =>
  (FOLDERS.test(path) || FILES.test(path)) && !isPasswordLike(value) && !isRandomValue(value, 16, 3.2);

const FOLDERS =
  /(?:^|\/)(?:locales?|i18n|l10n|g11n|lang|langs|languages|translations?|intl|nls|po|[\w-]+\.lproj|values-[a-z]{2}[\w-]*)\//i;
/** A file for one language (`de.json`, `messages_pt_BR.properties`), or in a form that only translations have. */
const FILES =
  /(?:^|\/|[\w-]+[._-])[a-z]{2}(?:[-_][A-Za-z]{2,4})?\.(?:json5?|ya?ml|properties|ts|js|php|toml|ini|resx|ftl)$|\.(?:po|pot|xlf|xliff|strings|arb|resx|ftl|tmx)$/;
