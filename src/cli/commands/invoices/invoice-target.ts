import { string } from '@oclif/core/args'
import { resources } from '../../../resources/resource-table.js'
import { registry } from '../../terminal/declared-registry.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { itemPath } from '../../terminal/item-path.js'

export const invoiceShape = shapeOf(registry, resources.invoice)

export const { invoice } = resources

export const invoiceArgument = string({ required: true, description: 'id of the invoice, or its number' })

export function invoicePath(id: string): string {
  return itemPath('invoices', id)
}
