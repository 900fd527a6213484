import { element, type Html, html } from '../../html/html.js'
import type { PageAddress } from '../../html/page-address.js'
import { icon } from '../elements/icons.js'

/** Names of the fields of the form that makes a filter. */
export const FILTER_FIELDS = { by: 'filter_by', operator: 'filter_is', value: 'filter_value' } as const

/** A filter that is in use. */
export interface FilterChip {
  /** Words for it, as `status: declined`. */
  readonly label: string
  /** Address of the list with the form that changes the filter. */
  readonly edit: PageAddress
  /** Address of the list without the filter. */
  readonly remove: PageAddress
}

/** The form for a filter by one attribute. */
export interface FilterForm {
  /** Address of the list. */
  readonly action: PageAddress
  readonly label: string
  readonly by: string
  readonly doc?: string | undefined
  readonly operators: readonly FilterOption[]
  readonly input:
    | { readonly kind: 'choices'; readonly options: readonly FilterOption[] }
    | {
        readonly kind: 'text'
        readonly type: 'text' | 'date'
        readonly inputmode?: 'decimal'
        readonly value: string
      }
  /** Other parameters of the list's address, which the form keeps. */
  readonly kept: readonly (readonly [string, string])[]
}

export interface FilterOption {
  readonly value: string
  readonly label: string
  readonly isChosen: boolean
}

export interface FilterBar {
  readonly chips: readonly FilterChip[]
  /** Attributes to filter by, each with the address of the list page that opens the attribute's filter form. */
  readonly attributes: readonly { readonly label: string; readonly address: PageAddress }[]
  /** The form that is open. */
  readonly form: FilterForm | undefined
  /** Id of the table that can be filtered in place. */
  readonly table: string
}

/** The filters of a list: filters in use, a menu of other filters, and a field that hides rows in place. */
export function filtersHtml({ chips, attributes, form, table }: FilterBar): Html {
  return html`<div class="filters">
${chips.map(chipHtml)}
<details>
<summary>${icon('plus')} Filter</summary>
<div class="pop">
<ul class="menu">
${attributes.map(({ label, address }) => html`<li><a href="${address}">${label}</a></li>`)}
</ul>
</div>
</details>
<p class="inplace" hidden><label class="unseen" for="inplace">Show rows of this page that contain</label>
${element('input', { id: 'inplace', type: 'search', placeholder: 'Filter this page', 'data-filters': table })}</p>
</div>
${form && formHtml(form)}`
}

function chipHtml({ label, edit, remove }: FilterChip): Html {
  return html`<span class="chip"><a href="${edit}"><bdi>${label}</bdi></a><a href="${remove}"><span class="unseen">Remove the filter ${label}</span>${icon('x')}</a></span>
`
}

function formHtml({ action, label, by, doc, operators, input, kept }: FilterForm): Html {
  const { by: byName, operator, value } = FILTER_FIELDS
  const control =
    input.kind === 'choices'
      ? input.options.map(
          (option, index) =>
            html`<label class="choice">${element('input', {
              type: 'checkbox',
              name: value,
              value: option.value,
              checked: option.isChosen,
              autofocus: index === 0,
            })}<span>${option.label}</span></label>
`,
        )
      : html`<div class="field"><label for="filter-value">Value</label>
${element('input', {
  id: 'filter-value',
  name: value,
  type: input.type,
  inputmode: input.inputmode,
  value: input.value,
  autofocus: true,
})}</div>`
  return html`<form class="card filter" action="${action}">
<h2>${label}</h2>
${doc && html`<p class="hint">${doc}</p>`}
${kept.map(([name, text]) => html`<input type="hidden" name="${name}" value="${text}">`)}
<input type="hidden" name="${byName}" value="${by}">
<div class="row">
${
  operators.length > 1
    ? html`<div class="field"><label for="filter-is">Is</label>
<select id="filter-is" name="${operator}">${operators.map((option) =>
        element('option', { value: option.value, selected: option.isChosen }, option.label),
      )}</select></div>`
    : undefined
}
<div class="options">${control}</div></div>
<p><button>Apply</button> <a href="${action}">No filters</a></p>
</form>`
}
