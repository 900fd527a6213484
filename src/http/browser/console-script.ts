/**
 * The module of the console's pages, which also work without it. It copies texts, opens dialogs, shows local times and
 * filters a table in place. A double click sends a form only once, and a key focuses the search box. It never parses text
 * as HTML.
 */
export const CONSOLE_SCRIPT = `'use strict'

/** Calls a function for each element of the page that matches a selector. */
const each = (selector, call) => document.querySelectorAll(selector).forEach(call)

/** A hidden text that screen readers announce when it changes. */
const live = document.body.appendChild(document.createElement('p'))
live.className = 'unseen'
live.setAttribute('role', 'status')

/** A button beside each text that people copy: a command, an address, a secret. */
each('[data-copy]', (text) => {
  if (!navigator.clipboard) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'plain copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text.dataset.copy || text.textContent)
    button.textContent = live.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 2000)
  })
  const block = text.closest('pre')
  if (block) block.before(button)
  else text.after(button)
})

/** Links that open a dialog of the page. Without this module they lead to the dialog's place in the page. */
each('[data-dialog]', (opener) => {
  const dialog = document.getElementById(opener.dataset.dialog)
  opener.addEventListener('click', (event) => {
    event.preventDefault()
    dialog?.showModal()
  })
})

/** Shows times in the zone of the browser, and days, in few words. The text from the service becomes a tooltip. */
each('time[datetime]', (time) => {
  const at = new Date(time.dateTime)
  if (!/^\\d{4}-\\d\\d-\\d\\d(T|$)/.test(time.dateTime) || Number.isNaN(at.getTime())) return
  const isDay = !time.dateTime.includes('T')
  const isOfYear = at.getFullYear() === new Date().getFullYear()
  const clock = isDay ? { timeZone: 'UTC' } : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  const parts = { month: 'short', day: '2-digit', ...(isDay || !isOfYear ? { year: 'numeric' } : {}), ...clock }
  time.title = time.textContent
  time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, parts).format(at)
})

/** A field above a table: hides the rows that do not contain every typed word. */
each('[data-filters]', (field) => {
  const table = document.getElementById(field.dataset.filters)
  field.closest('[hidden]')?.removeAttribute('hidden')
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(' ').filter(Boolean)
    let shown = 0
    for (const row of table.tBodies[0].rows) {
      row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word))
      if (!row.hidden) shown++
    }
    live.textContent = shown + ' rows'
  })
})

/** One menu of filters is open at a time; Escape and a click elsewhere close it. */
const menus = () => document.querySelectorAll('.filters details[open]')
addEventListener('click', ({ target }) => menus().forEach((menu) => { if (!menu.contains(target)) menu.open = false }))

/** The second click of a double click sends nothing: its answer would replace the first one, which may hold a secret. */
let sent
addEventListener('submit', (event) => {
  if (event.target === sent) return event.preventDefault()
  sent = event.target
  setTimeout(() => { sent = undefined }, 2000)
})

const search = document.getElementById('search')
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    menus().forEach((menu) => {
      menu.open = false
      menu.querySelector('summary').focus()
    })
    return
  }
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target.closest?.('input, select, textarea, [contenteditable]')) return
  event.preventDefault()
  search?.focus()
  search?.select()
})
`
