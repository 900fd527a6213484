import type { ApiRequest } from '../../../engine/core/request/request.js'
import type { Model } from '../../../model/model.js'
import type { JsonObject } from '../../../schema/json.js'
import type { Minor } from '../../../schema/money.js'
import type { Role } from '../../../schema/role.js'
import type { ShownFact } from '../../views/console/facts.js'
import type { WriteField } from '../../views/console/write-fields.js'
import type { ConsoleAnswer, ConsoleRequest } from '../console-page.js'

/** A change of one object that an operator makes by form, preview and confirmation. */
export interface ConsoleWrite {
  /** Segments of its page below the environment; one that begins with a colon takes any id, and the last id is the object's. */
  readonly at: readonly string[]
  /** The least role that is shown the page; the core judges the request itself. */
  readonly least: Role | ((model: Model) => Role)
  /** Whether live asks operators for a recent proof of who they are. */
  readonly confirms?: true
  /** Reads the object as it is now; `id` is empty for a new one. Answers otherwise where it is not there. */
  readonly open: (request: ConsoleRequest, id: string) => Promise<OpenedWrite | ConsoleAnswer>
}

/** A write of an object as it is now. */
export interface OpenedWrite {
  readonly heading: string
  /** Consequences, in a sentence or two. */
  readonly summary: string
  /** Text of the button that does it. */
  readonly label: string
  /** The page of the object, to which the operator returns. */
  readonly back: { readonly label: string; readonly path: readonly string[] }
  readonly facts: readonly ShownFact[]
  /** Fields of the form; without any the page begins with the preview. */
  readonly fields: readonly WriteField[]
  /** Fields of the preview for what no page may hold, as files. */
  readonly attached?: readonly WriteField[]
  /** Whether the form is done without a preview, whose page would have to hold the secrets that were typed. */
  readonly direct?: boolean
  /** The part of the object's state that the form shows, as `processed, 50.00 left`. */
  readonly state: string
  /** Why it cannot be done in this state. */
  readonly closed?: string | undefined
  /** Path of the object in the interface: a change of it after the preview refuses the write. */
  readonly seen?: string
  readonly send: (values: WriteValues) => SentWrite
  /** Money that leaves by it; from an amount on, live has operators type it again. */
  readonly outgoing?: (values: WriteValues) => Minor | undefined
  /** The answer of the dry run, as facts. */
  readonly preview: (answer: JsonObject, values: WriteValues) => WritePreview
  /** The page after it; that of the object unless given. */
  readonly done?: (answer: JsonObject) => ConsoleAnswer
}

/** Values of the fields by their names, trimmed. */
export type WriteValues = ReadonlyMap<string, string>

export type SentWrite = Pick<ApiRequest, 'method' | 'path' | 'body' | 'reason'>

export interface WritePreview {
  readonly facts: readonly ShownFact[]
  /** Text of the button with the amount; that of the write unless given. */
  readonly label?: string
}
