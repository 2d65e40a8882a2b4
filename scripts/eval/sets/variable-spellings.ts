/** A number in a possible spelling. */
export interface Spelling {
  readonly written: string;
  readonly value: number;
}

/** Sums of money in the spellings of each language. */
export const MONEY: Readonly<Record<string, readonly Spelling[]>> = {
  en: [
    ...sums('$# #$ USD_# #_USD US$# #_dollars #_US_dollars', [
      '75',
      '1,250',
      '0',
      '12.50',
      '1,250.75',
      '0.99',
      '20000',
    ]),
    ...sums('€# EUR_# #_EUR #_euros #€', ['60', '1,000', '45.5']),
    ...sums('£# GBP_# #_pounds #_quid', ['30', '2,400']),
    ...sums('A$# C$# CHF_# ¥# ₹# Rs._#', ['500', '1,800']),
    written('$1.5k', 1500),
    written('$2K', 2000),
    written('$3 million', 3e6),
    written('$1.2M', 1.2e6),
    written('75k USD', 75000),
    written('fifty dollars', 50),
    written('one hundred and twenty dollars', 120),
    written('twenty-five euros', 25),
    written('three thousand dollars', 3000),
    written('a hundred bucks', 100),
    written('50 cents', 0.5),
    written('75¢', 0.75),
    written('5 dollars and 50 cents', 5.5),
    written('20 bucks', 20),
    written('USD50', 50),
    written('-$75', -75),
    written('$50-75', 75),
    written('$50 to $80', 80),
    written('40 to 60 dollars', 60),
    written('10 lakh rupees', 1e6),
    written('$ 45', 45),
    written('₹1,25,000', 125000),
    written('two hundred pounds', 200),
  ],
  de: [
    ...sums('#_€ #€ €_# #_EUR EUR_# #_Euro', ['50', '12,50', '1.250', '1.250,00', '1.000.000', '1 250,00']),
    written('50,- €', 50),
    written('fünfzig Euro', 50),
    written('hundertzwanzig Euro', 120),
    written('fünfundzwanzig Euro', 25),
    written('2,5 Mio. Euro', 2.5e6),
    written('3 Tausend Euro', 3000),
    written("CHF 1'250.50", 1250.5),
    written('50 Franken', 50),
    written('30 US-Dollar', 30),
  ],
  fr: [
    ...sums('#_€ #€ #_euros #_EUR', ['50', '12,50', '1 250,00', '1 000']),
    written('30 dollars', 30),
    written('50 francs suisses', 50),
    written('2 millions d’euros', 2e6),
  ],
  es: [
    ...sums('#_€ #€ #_euros #_EUR', ['50', '12,50', '1.250,00', '1.000']),
    written('30 dólares', 30),
    written('US$ 75', 75),
    written('500 pesos', 500),
  ],
  ko: [
    ...sums('#원 #_원 ₩#', ['75,000', '5000', '1,250,000']),
    ...sums('#달러 $# #유로', ['50', '75.5']),
    written('5만원', 50000),
    written('3만 5천원', 35000),
    written('오만 원', 50000),
    written('1억 2천만원', 1.2e8),
    written('2천원', 2000),
    written('12만 5000원', 125000),
  ],
  zh: [
    ...sums('#元 ¥# #块 #人民币 #美元 $# #欧元', ['50', '1,250', '99.5']),
    written('五十元', 50),
    written('两百块', 200),
    written('1.5万元', 15000),
    written('一千二百元', 1200),
    written('三万美元', 30000),
    written('港币500元', 500),
  ],
  ja: [
    ...sums('#円 ¥# #ドル #ユーロ', ['50', '1,250', '10000']),
    written('五百円', 500),
    written('3万円', 30000),
    written('一万二千円', 12000),
  ],
};

/** Shares in hundredths in the spellings of each language. */
export const PERCENTS: Readonly<Record<string, readonly Spelling[]>> = {
  en: [
    ...sums('#% #_% #_percent #_per_cent #_pct', ['25', '7.5', '0.5', '100']),
    written('ten percent', 10),
    written('twenty-five percent', 25),
    written('10-20%', 20),
    written('5 to 15 percent', 15),
  ],
  de: [...sums('#% #_% #_Prozent', ['25', '7,5']), written('zehn Prozent', 10), written('fünfundzwanzig Prozent', 25)],
  fr: [...sums('#% #_% #_pour_cent', ['25', '7,5'])],
  es: [...sums('#% #_% #_por_ciento', ['25', '7,5'])],
  ko: [...sums('#% #퍼센트 #_퍼센트 #프로', ['25', '7.5'])],
  zh: [...sums('#% #％', ['25', '7.5']), written('百分之二十', 20), written('百分之15', 15)],
  ja: [...sums('#% #％ #パーセント', ['25', '7.5'])],
};

function written(text: string, value: number): Spelling {
  return { written: text, value };
}

/** Forms with a number in the place of `#`; a `_` is a blank. */
function sums(forms: string, numbers: readonly string[]): readonly Spelling[] {
  return forms
    .split(' ')
    .flatMap((form) =>
      numbers.map((number) => written(form.replaceAll('_', ' ').replace('#', number), valueOf(number))),
    );
}

/** The numbers of the forms are unmistakable: a comma or stop before other than three digits is the point. */
function valueOf(number: string): number {
  const bare = number.replaceAll(' ', '');
  const fraction = /[.,](\d{1,2})$/.exec(bare)?.[1];
  const whole = (fraction === undefined ? bare : bare.slice(0, -fraction.length - 1)).replace(/[.,]/g, '');
  return Number(`${whole}.${fraction ?? 0}`);
}
