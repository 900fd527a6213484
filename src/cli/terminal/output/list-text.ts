import { jsonList } from './render-json.js'
import type { ListText, Rendering } from './rendering.js'
import { columnsOf, columnsOfRows } from './table-columns.js'

/**
 * Creates the formatter of a list, and loads only the code of its format. An empty list is an empty text as
 * a table, and only the header as CSV.
 */
export async function listText(rendering: Rendering): Promise<ListText> {
  const { format, look, jq } = rendering
  if (jq !== undefined) {
    const { filteredList } = await import('./jq.js')
    return await filteredList(jq, rendering)
  }
  switch (format) {
    case 'json': {
      const list = jsonList(look)
      return startingWith(list.start, list)
    }
    case 'ndjson':
      return withoutEnd((values) => values.map((value) => `${JSON.stringify(value)}\n`).join(''))
    case 'csv':
      return await csvList(rendering)
    case 'table':
      return await tableList(rendering)
  }
}

async function csvList({ format, shape, requested, csv }: Rendering): Promise<ListText> {
  const { csvHead, csvRows } = await import('./csv.js')
  let columns = columnsOf(shape, format, requested)
  const lines = withoutEnd((values) => {
    const known = columns ?? columnsOfRows(values)
    const head = columns ? '' : csvHead(known, csv)
    columns = known
    return head + csvRows(values, known, shape, csv)
  })
  return columns ? startingWith(csvHead(columns, csv), lines) : lines
}

async function tableList({ format, shape, look, requested }: Rendering): Promise<ListText> {
  const { tableOf } = await import('./table.js')
  let table: ReturnType<typeof tableOf> | undefined
  return withoutEnd((values) => {
    if (values.length === 0) return ''
    table ??= tableOf(columnsOf(shape, format, requested) ?? columnsOfRows(values), {
      shape,
      look,
      requested,
    })
    return table(values)
  })
}

function withoutEnd(page: ListText['page']): ListText {
  return { page, end: () => '' }
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
