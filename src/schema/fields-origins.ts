/** Origins that the policy of a page with fields of a processor allows, by directive, besides its own. */
export interface FieldsOrigins {
  readonly script: readonly string[]
  readonly frame: readonly string[]
  readonly connect: readonly string[]
}
