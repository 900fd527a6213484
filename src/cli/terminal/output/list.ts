import type { JsonObject } from '../../../schema/json.js'
import { columnsOf, columnsOfRows } from './columns.js'
import { csvHead, csvLine } from './csv.js'
import { jsonList } from './json.js'
import type { Rendering } from './rendering.js'
import { tableOf } from './table.js'

/** A list as text, page by page: what it holds at once is one page. */
export interface ListText {
  page(values: readonly JsonObject[]): string
  end(): string
}

/** Without objects it is nothing as a table, and the head alone as CSV. */
export function listText({ format, shape, look, asked }: Rendering): ListText {
  switch (format) {
    case 'json': {
      const list = jsonList(look)
      return startingWith(list.start, list)
    }
    case 'ndjson':
      return {
        page: (values) => values.map((value) => `${JSON.stringify(value)}\n`).join(''),
        end: () => '',
      }
    case 'csv': {
      let columns = columnsOf(shape, format, asked)
      const lines = {
        page(values: readonly JsonObject[]): string {
          const known = columns ?? columnsOfRows(values)
          const head = columns ? '' : csvHead(known)
          columns = known
          return head + values.map((value) => csvLine(value, known, shape)).join('')
        },
        end: () => '',
      }
      return columns ? startingWith(csvHead(columns), lines) : lines
    }
    case 'table': {
      let table: ReturnType<typeof tableOf> | undefined
      return {
        page(values) {
          if (values.length === 0) return ''
          const isFirst = table === undefined
          table ??= tableOf(columnsOf(shape, format, asked) ?? columnsOfRows(values), { shape, look, asked })
          return table(values, isFirst)
        },
        end: () => '',
      }
    }
  }
}

function startingWith(start: string, text: ListText): ListText {
  let left = start
  const first = () => {
    const now = left
    left = ''
    return now
  }
  return {
    page: (values) => first() + text.page(values),
    end: () => first() + text.end(),
  }
}
