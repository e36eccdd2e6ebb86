/** Small named values that belong to a crawl as a whole, as safe as everything else that is stored with them. */
export interface Facts {
  get(name: string): string | undefined
  /** 0 where there is none. */
  number(name: string): number
  set(name: string, value: string | number): void
}
