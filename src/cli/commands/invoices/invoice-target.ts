import { string } from '@oclif/core/args'
import { resources } from '../../../resources/resource-table.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOf } from '../../terminal/input/shape.js'

export const invoiceShape = shapeOf(registry, resources.invoice)

export const { invoice } = resources

export const invoiceArgument = string({ required: true, description: 'id of the invoice, or its number' })

/** Argument of commands that offer a list of invoices if it is omitted. */
export const optionalInvoiceArgument = string({
  description: 'id of the invoice; without it, one is chosen from a list',
})

export function invoicePath(id: string): string {
  return itemPath('invoices', id)
}
