/** A token of the input in the fields of a processor, or a problem at a field; undefined if the payer has closed them. */
export type MadeToken =
  | { readonly token: string; readonly problem?: undefined }
  | { readonly problem: string; readonly at: string }
  | undefined

/** Input of the payer beside the fields. */
export interface PayerInput {
  readonly holder: string | undefined
  readonly postalCode: string | undefined
}

/** Fields of a processor in their box. */
export interface MountedFields {
  focus(name: string | undefined): void
  token(payer: PayerInput): Promise<MadeToken>
}

/** A processor's kind of fields: mounts the fields in a box of the page. */
export interface RailKind {
  /** Whether the script is loaded again for each box. */
  readonly isLoadedAnew?: boolean
  /** Prepares the box before the script is loaded. */
  prepare?(box: HTMLElement): void
  mount(box: HTMLElement, settings: Readonly<Record<string, string>>): Promise<MountedFields>
}
