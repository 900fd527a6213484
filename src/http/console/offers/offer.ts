import type { Model } from '../../../model/model.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { AdminOperation, PlainFields } from '../../../schema/admin-operation.js'
import { type FlagDescription, flagsOf, flagsOfPlain } from '../../../schema/flag-description.js'
import type { JsonObject } from '../../../schema/json.js'
import type { Method } from '../../../schema/resource.js'
import type { Role } from '../../../schema/role.js'
import type { ConsoleRequest } from '../console-page.js'
import { objectIdIn, type WriteIds, type WriteLink } from '../write/console-write.js'

/** A write as plain data: its form, its request and its link follow from the declaration of what it does. */
export interface Offer extends WriteLink {
  /** Segments of its page below the environment: `['links', ':id', 'deactivate']`. */
  readonly at: readonly string[]
  readonly does: OfferedWrite
  /** Dotted paths of the attributes on its form, in their order; none unless given. */
  readonly names?: readonly string[]
  /**
   * Sets attributes that have no field on the form. `ids` are the ids in the address; `object` is `{}` if the offer
   * concerns no object.
   */
  readonly sets?: (ids: WriteIds, object: JsonObject) => JsonObject
  /** Adapts the inputs of the form to data of the installation, such as its gateways. */
  readonly refine?: (
    flags: readonly FlagDescription[],
    request: ConsoleRequest,
    object: JsonObject,
  ) => Promise<readonly FlagDescription[]>
  /** Number of segments to remove from the path to get the page to which the offer leads back; 1 unless given. */
  readonly below?: number
  /** Effect that the summary of the declaration does not say. */
  readonly note?: string
  /** Whether the operator must have given a proof recently, in test as well. */
  readonly confirms?: true
  /** Attribute of the answer that is shown only once, such as a secret, and the text to show for it. */
  readonly once?: string
  readonly shownOnce?: (secret: string) => string
}

/** Whether an object is active, for offers that only active ones are open to. */
export const isActive = ({ status }: JsonObject): boolean => status === 'active'

/** The request of an offer; the last id of its address names the object. */
export type OfferedWrite =
  | { readonly kind: 'create' | 'update' | 'delete'; readonly resource: string }
  | { readonly kind: 'action'; readonly resource: string; readonly action: string }
  /** `about` is the resource of the object that the page is about, if the operation concerns one. */
  | { readonly kind: 'operation'; readonly operation: AdminOperation['name']; readonly about?: string }

/** All that follows from the declaration of an offered write. */
export interface ResolvedOffer {
  readonly method: Method
  /** Path of the request to the API. */
  readonly path: string
  readonly mode: 'create' | 'update'
  readonly flags: readonly FlagDescription[]
  readonly least: Role
  /** Summary of the operation or action, from its declaration. */
  readonly summary: string
  /** The object that the offer concerns; undefined for a new object. */
  readonly target: { readonly resource: ResourceModel; readonly path: string } | undefined
  /**
   * Whether the write changes that object. If so, the write is refused when the object has changed since it was shown.
   */
  readonly changes: boolean
  /** Resource that declares the answer; undefined for an operation, whose answer is declared by `output`. */
  readonly answers: ResourceModel | undefined
  readonly output: PlainFields
}

/**
 * Resolves an offer by the declarations. Throws for a name that is not declared, which is a mistake in the table of
 * offers.
 */
export function resolveOffer(offer: Offer, ids: WriteIds, registry: Model): ResolvedOffer {
  const { does, names = [] } = offer
  const id = encodeURIComponent(objectIdIn(ids))
  if (does.kind === 'operation') {
    const about = does.about === undefined ? undefined : registry.get(does.about)
    const operation = registry.operations.find(({ name }) => name === does.operation)
    if (!operation) throw new Error(`No operation is declared with the name ${does.operation}`)
    return {
      method: operation.method,
      path: `/${operation.path}`,
      mode: 'create',
      flags: pick(flagsOfPlain(registry, operation.input), names),
      least: operation.least,
      summary: operation.summary,
      target: about && { resource: about, path: `/${about.plural}/${id}` },
      changes: false,
      answers: undefined,
      output: operation.output,
    }
  }
  const resource = registry.get(does.resource)
  const { plural, least } = resource
  const item = `/${plural}/${id}`
  const target = { resource, path: item }
  const common = {
    least,
    answers: resource,
    output: {},
    changes: does.kind !== 'create',
    summary: resource.summary,
  }
  switch (does.kind) {
    case 'create': {
      const flags = pick(flagsOf(registry, resource, 'create'), names)
      return { ...common, method: 'POST', path: `/${plural}`, mode: 'create', flags, target: undefined }
    }
    case 'update': {
      const flags = pick(flagsOf(registry, resource, 'update'), names)
      return { ...common, method: 'PUT', path: item, mode: 'update', flags, target }
    }
    case 'delete':
      return { ...common, method: 'DELETE', path: item, mode: 'update', flags: [], target }
    case 'action': {
      const action = resource.actions?.[does.action]
      if (!action) throw new Error(`${resource.name} has no action ${does.action}`)
      return {
        ...common,
        method: 'POST',
        path: `${item}/${does.action}`,
        mode: 'create',
        flags: pick(flagsOfPlain(registry, action.input), names),
        least: action.least ?? least,
        summary: action.summary,
        target,
        answers: registry.get(action.answers ?? resource.name),
      }
    }
  }
}

function pick(flags: readonly FlagDescription[], names: readonly string[]): readonly FlagDescription[] {
  return names.map((name) => {
    const flag = flags.find(({ path }) => path.join('.') === name)
    if (!flag) throw new Error(`There is no attribute ${name} to set`)
    return flag
  })
}
