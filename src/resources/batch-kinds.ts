import type { BatchKind } from '../schema/batch-kind.js'
import type { Resource } from '../schema/resource.js'
import { resources } from './resource-table.js'

const { transaction } = resources

const verbs: Readonly<Record<string, BatchKind>> = {
  payment: {
    resource: transaction,
    moves: { by: ['status'], is: { authorized: 'authorize' }, otherwise: 'pay', unset: 'pay' },
    preset: { type: 'payment' },
  },
  refund: {
    resource: transaction,
    moves: 'refund',
    preset: { type: 'refund' },
    about: 'refund',
    isPaidOut: true,
    columns: ['amount', 'description', 'order_number', 'attrs'],
  },
  credit: { resource: transaction, moves: 'credit', preset: { type: 'credit' }, isPaidOut: true },
  void: {
    resource: transaction,
    moves: 'void',
    preset: { status: 'voided' },
    about: 'void',
    columns: [],
  },
}

const declared: readonly Resource[] = Object.values(resources)

/** Name of the batch kind whose rows change objects of a resource, such as `update_invoice`. */
export function updateKindOf({ name }: Resource): string {
  return `update_${name}`
}

/**
 * Every kind of row by its name in `--as`: the verbs, every object that clients create, and every object that they
 * change.
 */
export const batchKinds: ReadonlyMap<string, BatchKind> = new Map([
  ...Object.entries(verbs),
  ...declared
    .filter(({ admin, refuses }) => !admin && !refuses?.POST)
    .map((resource): [string, BatchKind] => [
      resource.name,
      {
        resource,
        moves: resource.moves === 'nothing' ? 'nothing' : resource.moves.create,
        preset: {},
      },
    ]),
  ...declared
    .filter(({ admin, refuses }) => !admin && !refuses?.PUT)
    .map((resource): [string, BatchKind] => [
      updateKindOf(resource),
      {
        resource,
        moves: resource.moves === 'nothing' ? 'nothing' : resource.moves.update,
        preset: {},
        about: 'update',
      },
    ]),
])
