/** The interface of a frame with a secure field for the controller. Windows of other origins cannot read it. */
export interface SecureField {
  readonly key: string | undefined
  readonly group: string | null
  readonly name: string | undefined
  /** The values by name, and the texts of their problems, which are shown from now on. */
  read(): SecureInput
  isEmpty(): boolean
  /** Shows problems that the service has found, by name. */
  refuse(problems: Readonly<Record<string, unknown>>): void
  focus(): void
}

export interface SecureInput {
  readonly values: Readonly<Record<string, string>>
  readonly problems: Readonly<Record<string, string>>
}

declare global {
  interface Window {
    payctlField?: SecureField
  }
}

/** Random name of the form that a frame belongs to. */
export const group = new URLSearchParams(location.search).get('group')
