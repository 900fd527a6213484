/**
 * The module of the console's pages, which also work without it. It copies texts, opens dialogs, shows local times and
 * filters a table in place. A double click sends a form only once, and a key focuses the search box. It never parses text
 * as HTML.
 */

/** A hidden text that screen readers announce when it changes. */
const live = document.body.appendChild(document.createElement('p'))
live.className = 'unseen'
live.setAttribute('role', 'status')

/** A button beside each text that people copy: a command, an address, a secret. */
for (const text of document.querySelectorAll<HTMLElement>('[data-copy]')) addCopyButton(text)

function addCopyButton(text: HTMLElement): void {
  if (!navigator.clipboard) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'plain copy'
  button.textContent = 'Copy'
  button.addEventListener('click', () => void copy(text.dataset['copy'] || text.textContent || '', button))
  const block = text.closest('pre')
  if (block) block.before(button)
  else text.after(button)
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(text)
  button.textContent = 'Copied'
  live.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 2000)
}

/** Links that open a dialog of the page. Without this module they lead to the dialog's place in the page. */
for (const opener of document.querySelectorAll<HTMLElement>('[data-dialog]')) {
  const dialog = document.getElementById(opener.dataset['dialog'] ?? '')
  opener.addEventListener('click', (event) => {
    event.preventDefault()
    if (dialog instanceof HTMLDialogElement) dialog.showModal()
  })
}

/** Shows times in the zone of the browser, and days, in few words. The text from the service becomes a tooltip. */
for (const time of document.querySelectorAll<HTMLTimeElement>('time[datetime]')) {
  const at = new Date(time.dateTime)
  if (/^\d{4}-\d\d-\d\d(T|$)/.test(time.dateTime) && !Number.isNaN(at.getTime())) {
    time.title = time.textContent ?? ''
    time.textContent = shortTime(at, !time.dateTime.includes('T'))
  }
}

function shortTime(at: Date, isDay: boolean): string {
  const isOfYear = at.getFullYear() === new Date().getFullYear()
  const clock: Intl.DateTimeFormatOptions = isDay
    ? { timeZone: 'UTC' }
    : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  return new Intl.DateTimeFormat(document.documentElement.lang, {
    month: 'short',
    day: '2-digit',
    ...(isDay || !isOfYear ? { year: 'numeric' } : {}),
    ...clock,
  }).format(at)
}

/** A field above a table: hides the rows that do not contain every typed word. */
for (const field of document.querySelectorAll<HTMLInputElement>('[data-filters]')) {
  const table = document.getElementById(field.dataset['filters'] ?? '')
  field.closest('[hidden]')?.removeAttribute('hidden')
  field.addEventListener('input', () => {
    if (table instanceof HTMLTableElement) filterRows(table, field.value)
  })
}

function filterRows(table: HTMLTableElement, typed: string): void {
  const words = typed.toLowerCase().split(' ').filter(Boolean)
  let shown = 0
  for (const row of table.tBodies[0]?.rows ?? []) {
    const text = row.textContent?.toLowerCase() ?? ''
    row.hidden = !words.every((word) => text.includes(word))
    if (!row.hidden) shown++
  }
  live.textContent = `${shown} rows`
}

/** One menu of filters is open at a time; Escape and a click elsewhere close it. */
const menus = () => document.querySelectorAll<HTMLDetailsElement>('.filters details[open]')
addEventListener('click', ({ target }) => {
  for (const menu of menus()) if (!(target instanceof Node && menu.contains(target))) menu.open = false
})

/** The second click of a double click is ignored: its answer would replace the first one, which may hold a secret. */
let sent: EventTarget | null = null
addEventListener('submit', (event) => {
  if (event.target === sent) return event.preventDefault()
  sent = event.target
  setTimeout(() => {
    sent = null
  }, 2000)
})

const search = document.getElementById('search')
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') closeMenus()
  else if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey) focusSearch(event)
})

function closeMenus(): void {
  for (const menu of menus()) {
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
}

function focusSearch(event: KeyboardEvent): void {
  const { target } = event
  if (target instanceof Element && target.closest('input, select, textarea, [contenteditable]')) return
  event.preventDefault()
  search?.focus()
  if (search instanceof HTMLInputElement) search.select()
}
