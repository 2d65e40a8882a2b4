/** Something developers speak of in many words, in three languages. */
export interface Concept {
  readonly id: string;
  /** Concepts of one domain are near each other. */
  readonly domain: string;
  /** Phrases, parted by `|`: English by stems (`~` is up to three words), Korean and Chinese as they stand. */
  readonly words: string;
  /** Phrases that say that the concept is passed over or turned into its opposite. */
  readonly against?: string;
}
