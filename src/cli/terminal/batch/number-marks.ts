import type { FlagKind } from '../../../schema/flag-description.js'
import type { JsonObject } from '../../../schema/json.js'

/** The character before the decimals of a number. */
export type Mark = '.' | ','

/** A cell of a file, as refusals quote it. */
export interface Sighting {
  readonly header: string
  readonly row: number
  readonly text: string
}

/** The digits of a number, with points and commas, between signs and currencies. */
const DIGITS = /^(?:USD|[-+($])*([\d.,]*\d[\d.,]*)(?:USD|\))*$/i
/** A number as programs write it. Most files contain only such numbers. */
const USUAL = /^\d+(?:\.\d\d)?$/
/** One point or comma before three digits, as in `5,000`: thousands or thousandths. */
const THREE_DIGITS = /^[1-9]\d{0,2}([.,])\d{3}$/

/**
 * The only decimal mark with which a number can be read. `either` if its point or comma may also separate
 * thousands, as in `5,000`. Undefined for a text without a mark, or without a number.
 */
export function markIn(text: string): Mark | 'either' | undefined {
  if (USUAL.test(text)) return text.length > 3 && text.at(-3) === '.' ? '.' : undefined
  const digits = DIGITS.exec(text.replaceAll(/\s/g, ''))?.[1] ?? ''
  if (THREE_DIGITS.test(digits)) return 'either'
  const isCounted = (mark: Mark, thousands: Mark) => {
    const [whole = '', decimals, ...more] = digits.split(mark)
    if (more.length > 0 || decimals?.includes(thousands)) return false
    const groups = whole.split(thousands)
    const isGrouped = groups.length === 1 || groups.every((group, index) => isGroup(group, index))
    return isGrouped && (decimals !== undefined || groups.length > 1)
  }
  const [isPoint, isComma] = [isCounted('.', ','), isCounted(',', '.')]
  if (isPoint === isComma) return undefined
  return isPoint ? '.' : ','
}

function isGroup(digits: string, index: number): boolean {
  return index === 0 ? /^[1-9]\d{0,2}$/.test(digits) : /^\d{3}$/.test(digits)
}

/** Evidence in a file for its decimal mark: the first number of each kind. */
export class NumberMarks {
  private readonly only = new Map<Mark, Sighting>()
  private readonly doubtful = new Map<Mark, Sighting>()
  /**
   * Doubtful numbers in columns of amounts and whole numbers, by separator. Such numbers have no thousandths, so the
   * separator is no decimal mark.
   */
  private readonly whole = new Map<Mark, Sighting>()

  add(kind: FlagKind, cell: Sighting): void {
    const mark = markIn(cell.text)
    if (mark === undefined) return
    if (mark !== 'either') {
      keepFirst(this.only, mark, cell)
      return
    }
    const separator = cell.text.includes(',') ? ',' : '.'
    keepFirst(this.doubtful, separator, cell)
    if (kind !== 'number') keepFirst(this.whole, separator, cell)
  }

  /**
   * Returns the decimal mark of all numbers. In a file whose delimiter is the comma, the mark is the point unless a
   * number has a decimal comma. Adds a problem for numbers that contradict each other, or that allow two readings.
   */
  decide(delimiter: string, problems: JsonObject): Mark {
    const [point, comma] = [this.only.get('.'), this.only.get(',')]
    if (point && comma)
      problems[comma.header] =
        `${seen(comma)} has a decimal comma, and ${seen(point, comma)} a decimal point; ` +
        '--decimal , reads the one, --decimal . the other'
    else if (point || comma || delimiter === ',')
      this.refuseDoubtful(comma ? ',' : '.', point ?? comma, problems)
    else this.refuseDoubtful(undefined, undefined, problems)
    return comma ? ',' : '.'
  }

  /**
   * Adds a problem for the first number that contradicts the mark; if no mark is known, for the first number that
   * allows two readings.
   */
  private refuseDoubtful(mark: Mark | undefined, by: Sighting | undefined, problems: JsonObject): void {
    const doubt = mark === undefined ? this.doubtful.values().next().value : this.whole.get(mark)
    if (!doubt) return
    const readings = `${seen(doubt)} is ${readBy('.', doubt)} with --decimal . and ${readBy(',', doubt)} with --decimal ,`
    problems[doubt.header] = by
      ? `${readings}; ${seen(by, doubt)} has its decimals behind a ${mark === ',' ? 'comma' : 'point'}`
      : `${readings}; which is meant?`
  }

  /** Sentence about the decimal mark of the file; undefined for the usual point. */
  get note(): string | undefined {
    const comma = this.only.get(',')
    return comma && `numbers have a decimal comma, as ${seen(comma)}`
  }
}

function keepFirst(cells: Map<Mark, Sighting>, mark: Mark, cell: Sighting): void {
  if (!cells.has(mark)) cells.set(mark, cell)
}

/** A cell in words. The column is named only if `beside` is in another column. */
function seen({ row, text, header }: Sighting, beside?: Sighting): string {
  return `${text} in row ${row}${beside && beside.header !== header ? ` of ${header}` : ''}`
}

/** Value of a doubtful number if `mark` is its decimal mark. */
function readBy(mark: Mark, { text }: Sighting): string {
  const digits = text.replaceAll(/[^\d.,]/g, '')
  return mark === '.' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.')
}
