import type { ApiRequest } from '../../../engine/core/request/request.js'
import type { Model } from '../../../model/model.js'
import type { JsonObject } from '../../../schema/json.js'
import type { Minor } from '../../../schema/money.js'
import type { Role } from '../../../schema/role.js'
import type { ConsoleAnswer, ConsoleRequest } from '../console-page.js'
import type { ShownFact } from '../elements/facts.js'
import type { WriteField } from './write-fields.js'

/** A change of one object that an operator makes by form, preview and confirmation. */
export interface ConsoleWrite {
  /**
   * Path segments of the write's page below the environment. A segment that begins with a colon matches any id; the
   * last such id is the object's.
   */
  readonly at: readonly string[]
  /** The least role that may open the page; the core checks the request again. */
  readonly least: Role | ((model: Model) => Role)
  /** Environments in which the operator must have proved recently who they are; no proof is needed unless given. */
  readonly confirms?: 'always' | 'live'
  /** Its link on the page above, unless that page has one made by hand. */
  readonly link?: WriteLink
  /** Reads the object; `id` is empty for a new object. Returns another answer if the object cannot be read. */
  readonly open: (request: ConsoleRequest, id: string) => Promise<OpenedWrite | ConsoleAnswer>
}

/** The link to a write on the page of its object, or of the list for a new one. */
export interface WriteLink {
  readonly label: string
  /** Whether the write is open to an object in this state; always unless given. */
  readonly when?: ((object: JsonObject) => boolean) | undefined
  /** Attributes that `when` reads, besides those returned by default. */
  readonly fields?: readonly string[] | undefined
}

/** A write that was opened for an object, in the present state of the object. */
export interface OpenedWrite {
  readonly heading: string
  /** Consequences of the write, in a sentence or two. */
  readonly summary: string
  /** Text of the button that performs the write. */
  readonly label: string
  /** The page of the object, to which the operator returns. */
  readonly back: { readonly label: string; readonly path: readonly string[] }
  readonly facts: readonly ShownFact[]
  /** Fields of the form; without any the page begins with the preview. */
  readonly fields: readonly WriteField[]
  /** Fields on the page of the preview, for inputs that a page cannot repeat, such as files. */
  readonly attached?: readonly WriteField[]
  /**
   * Whether the form is sent without a preview, because the page of a preview would contain the secrets that were
   * typed.
   */
  readonly direct?: boolean
  /** The part of the object's state that the form shows, as `processed, 50.00 left`. */
  readonly state: string
  /** The reason why the write is not possible in this state. */
  readonly closed?: string | undefined
  /** Path of the object in the API. The write is refused if the object changes after the preview. */
  readonly seen?: string
  readonly send: (values: WriteValues) => SentWrite
  /** Money that the write sends away. In the live environment, operators must type large amounts again. */
  readonly outgoing?: (values: WriteValues) => Minor | undefined
  /** The answer of the dry run, as facts. */
  readonly preview: (answer: JsonObject, values: WriteValues) => WritePreview
  /** The page after the write; the object's page unless given. */
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

/** The least role that may open the page of a write. */
export function leastOf({ least }: Pick<ConsoleWrite, 'least'>, model: Model): Role {
  return typeof least === 'string' ? least : least(model)
}

/** Ids in the address of a write's page, by their names there. */
export type WriteIds = Readonly<Record<string, string>>

/** Ids in the path of a write's page; undefined if the path belongs to another page. */
export function idsIn({ at }: Pick<ConsoleWrite, 'at'>, path: readonly string[]): WriteIds | undefined {
  if (path.length !== at.length) return undefined
  const ids: Record<string, string> = {}
  for (const [index, segment] of at.entries()) {
    const given = path[index] ?? ''
    if (segment.startsWith(':')) ids[segment.slice(1)] = given
    else if (segment !== given) return undefined
  }
  return ids
}

/** The id of the object of a write: the last one in its address, empty for a new object. */
export function objectIdIn(ids: WriteIds): string {
  return Object.values(ids).at(-1) ?? ''
}
