import { minorIn, textIn } from '../../../../schema/answer-values.js'
import type { JsonObject } from '../../../../schema/json.js'
import { type Html, html } from '../../html.js'
import { amountText, tableHtml, timeHtml, wordsOf } from '../shown-values.js'
import { doerWords } from './timeline-html.js'

/** Lines of activity of an object: who did what, and why. */
export function activityHtml(
  lines: readonly JsonObject[],
  { names }: { readonly names: ReadonlyMap<string, string> },
): Html {
  if (lines.length === 0)
    return html`<p class="faint">Nobody has changed it.</p>
`
  return tableHtml(
    'Activity',
    ['When', 'Who', 'What', { label: 'Amount', isNumber: true }, 'Reason', 'Outcome'],
    lines.map((line) => {
      const by = textIn(line, 'by_id') ?? ''
      const action = textIn(line, 'action')
      return [
        timeHtml(textIn(line, 'created_at')),
        `${names.get(by) ?? doerWords(by)}, ${textIn(line, 'through') ?? ''}`,
        action && wordsOf(action),
        amountText(minorIn(line, 'amount')),
        textIn(line, 'reason'),
        textIn(line, 'outcome'),
      ]
    }),
  )
}
