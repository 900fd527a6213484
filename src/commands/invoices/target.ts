import { string } from '@oclif/core/args'
import { resources } from '../../resources/index.js'
import { shapeOf } from '../../terminal/shape.js'
import { registry } from '../declared.js'

export const invoiceShape = shapeOf(registry, resources.invoice)

export const invoiceArgument = string({ required: true, description: 'id of the invoice' })

export function invoicePath(id: string): string {
  return `/invoices/${encodeURIComponent(id)}`
}
