import { mountFields } from '../rail-fields/rail-fields.js'
import { main } from './main-part.js'
import { showBrand } from './mark-field.js'

/** The mark of a page whose payment is open. */
const OPEN = /<h1 [^>]*data-open/

/** Looks again while the page says that the payment is open; each pause is longer than the one before. */
async function lookAgain(): Promise<void> {
  for (let pause = 3000; ; pause = Math.min(pause * 1.5, 60000)) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    try {
      const answer = await fetch(location.href, { redirect: 'manual' })
      if (answer.ok ? !OPEN.test(await answer.text()) : answer.status < 400) break
    } catch {
      // There is no network just now.
    }
  }
  // Not by reload, which would send a form again.
  location.replace(location.href)
}

function showLocalTime(time: HTMLTimeElement): void {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  time.title = time.textContent ?? ''
  time.textContent = format.format(new Date(time.dateTime))
}

/** Prepares what the page shows now: brand, buttons that print, local times, fields of a processor. */
export function prepare(): void {
  const number = main.querySelector<HTMLInputElement>('[name=card_number]')
  if (number) showBrand(number)
  for (const hidden of main.querySelectorAll<HTMLElement>('[data-print]')) hidden.hidden = false
  for (const time of main.querySelectorAll<HTMLTimeElement>('time[data-local]')) showLocalTime(time)
  if (main.querySelector('[data-open]')) void lookAgain()
  mountFields(main)
}
