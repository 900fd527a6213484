import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary folder for input files of batches. */
export interface Folder {
  path(name: string): string
  write(name: string, content: string | Uint8Array): string
  read(name: string): string
  remove(): void
}

export function openFolder(): Folder {
  const folder = mkdtempSync(join(tmpdir(), 'payctl-rows-'))
  const path = (name: string) => join(folder, name)
  return {
    path,
    write(name, content) {
      writeFileSync(path(name), content)
      return path(name)
    },
    read: (name) => readFileSync(path(name), 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const HEADER =
  'amount,payment_method.type,payment_method.card.card_number,payment_method.card.expiry,order_number'

/** CSV file with the given number of card payments: payment N has order number N and an amount of N cents. */
export function paymentsCsv(count: number): string {
  const rows = Array.from(
    { length: count },
    (_, index) => `${cents(index + 1)},card,4111111111111111,12/79,${index + 1}`,
  )
  return `${[HEADER, ...rows].join('\n')}\n`
}

function cents(minor: number): string {
  return (minor / 100).toFixed(2)
}
