/** Words, each whole; `*` stands for an ending. */
const wordsIn = (...lines: readonly string[]): string =>
  `(?<![\\p{L}\\d_])(?:${lines.join('|').replaceAll('*', '\\p{L}*').replaceAll("'", "['’]")})(?![\\p{L}\\d_])`;

/** Words of keeping, leaving, excepting or denying. Where one is missing a file may be proposed, so rather too many. */
export const KEEPS = new RegExp(
  [
    wordsIn(
      "not|n't|(?:ca|could|do|does|did|is|are|was|were|has|have|had|must|need|should|would|wo|sha)n'?t|cannot|no|none|nothing|nobody|nowhere|never|neither|nor|without|unless|except|excepting|excepted|exceptions? of|exceptions? (?:is|are)|exempt*",
      'but|rather|instead|besides|apart|aside|other than|outside|until|beyond',
      'keep|keeps|keeping|kept|leave|leaves|leaving|(?:be|is|are|being) left|stay|stays|staying|remain*|preserv*|retain*|maintain*|conserv*',
      'exclud*|omit*|ignor*|skip*|avoid*|spare|spares|sparing|protect*|forbid*|prohibit*|ban|bans|banned|refrain*|disallow*|reserve*',
      'untouch*|unchang*|unalter*|unmodif*|unedit*|unaffect*|intact|alone|frozen|freez*|lock|locked|read-?only|taboo|off[- ]limits|hands off|out of scope|as is|as it is|as they are|as before|as-is',
    ),
    wordsIn(
      'nicht*|kein*|nie|niemals|ohne|außer*|ausser*|ausgenommen|ausnahme*|bis auf|statt|unveränder*|unveraender*|unberühr*|unberuehr*|unangetastet|lass*|lässt|laesst|bleib*|behalt*|behält|beibehalt*|bewahr*|verschon*|gleich|finger weg|tabu',
      'sin|nunca|jamás|jamas|ni|excepto|excepción|salvo|menos|mant*|dej*|evit*|respet*|igual|tal cual|sigue*',
      "ne|n'\\p{L}*|pas|sans|jamais|sauf|excepté|excepte|hormis|garde|garder|gardez|gardant|laiss*|inchang*|tels? quels?|telles? quelles?|préserv*|reste|rester|restent|évit*",
      'non|senza|mai|né|tranne|eccetto|lasci*|mantien*|invariat*|não|nao|sem|nem|exceto|deix*|inalterad*',
      'niet|geen|nooit|zonder|behalve|laat|laten|houd*|blijf*|blijven|ongewijzigd|inte|ikke|ingen|utan|uten|uden|nie|bez|oprócz|zostaw*|не|ни|нет|без|кроме|остав*|сохран*|hariç|dokunma*',
    ),
    '[不别別勿莫没沒无無除]|以外|之外|保持|保留|原样|原樣|维持|維持|禁止|ない|ません|ずに|そのまま|않|말고|말아|말라|말 |마세요|마라|지 ?마|안 |금지|제외|빼고|그대로|유지|없이|외에',
  ].join('|'),
  'iu',
);

/** Words with which a clause about exceptions begins. */
export const TURNS_WITH = new RegExp(
  `,?\\s*${wordsIn(
    'but|yet|however|without|except|excluding|excepting|other than|apart from|rather than|instead of|while|whereas',
    'aber|jedoch|ohne|außer|ausser|pero|sin|excepto|salvo|mais|sans|sauf|senza|tranne|sem|exceto|maar|zonder|behalve',
  )}`,
  'iu',
);

/** Verbs with which a clause about what is kept begins. */
export const TURNS_TO = new RegExp(
  `(?:^|,|;|\\s(?:and|then)\\s)\\s*(?:and |then |please )*${wordsIn("keep|leave|do not|don't|never|not")}`,
  'iu',
);

const CHANGE =
  'add|adapt|adjust|change|correct|describe|document|edit|explain|extend|fix|mention|modify|move|note|remove|rename|replace|rewrite|shorten|simplify|update|write';

/** A statement that begins with a clear wish to change something. */
export const CHANGES = new RegExp(`^(?:and |also |then |please )*(?:${CHANGE})\\b`, 'i');

/** What may join two of the paths that a text wants changed; each space is matched in one way only. */
export const JOINS = ` ?(?:, ?)?(?:(?:and|or|und|oder|y|et|&|\\+|to|into|from|and (?:then |also )?(?:${CHANGE})(?: it)?(?: in| to)?) ?)?(?:the )?`;

/** Signs of a language whose words of keeping are perhaps not known. */
export const FOREIGN = new RegExp(
  `(?![\\u0000-\\u007f])\\p{L}|${wordsIn(
    'der|das|dem|den|ein|eine|einen|und|oder|auch|im|von|zu|für|mit|auf|bei|el|los|las|un|una|del|con|por|para|le|les|une|du|des|et|dans|pour|avec|il|lo|gli|nel|nella|della|uma|os|em|do|da|het|een|van|voor|met|och|og',
  )}`,
  'iu',
);
