import { expect, test } from 'vitest'
import { createSelection } from './selection.ts'

const ids = ['a', 'b', 'c', 'd', 'e']
const show = (names: readonly string[]) => names.map((id) => ({ id, row: id }))
const start = () => {
  const selection = createSelection()
  selection.shown.set(show(ids))
  const click = (id: string, { shift = false, on = true } = {}) =>
    selection.toggle(id, on, { extend: shift, isOpen: (row) => row !== 'c' })
  return { ...selection, click, read: () => Object.keys(selection.picked.get()).toSorted() }
}

test('Shift selects all rows since the last selected one, in both directions, except rows that the user may not change', () => {
  const { click, read } = start()
  click('b')
  click('e', { shift: true })
  expect(read()).toEqual(['b', 'd', 'e'])
  click('a', { shift: true })
  expect(read()).toEqual(['a', 'b', 'd', 'e'])
  click('d', { shift: true, on: false })
  expect(read()).toEqual(['e'])
})

test('rows stay selected when new rows appear, and a range follows the order on screen', () => {
  const { click, read, shown, has } = start()
  click('b')
  shown.set(show(['new', 'e', 'b', 'a']))
  expect([has('b'), has('new')]).toEqual([true, false])
  click('new', { shift: true })
  expect(read()).toEqual(['b', 'e', 'new'])
})

test('rows that succeeded leave the selection, and a range whose first row is missing selects one row', () => {
  const { click, read, shown, drop, clear } = start()
  click('a')
  click('b')
  drop(['a'])
  expect(read()).toEqual(['b'])
  shown.set(show(['c', 'd', 'e']))
  click('e', { shift: true })
  expect(read()).toEqual(['b', 'e'])
  clear()
  expect(read()).toEqual([])
})

test('listeners are notified of every change, even to another selection of the same size', () => {
  const { click, picked, drop } = start()
  let heard = 0
  picked.subscribe(() => (heard += 1))
  click('a')
  drop(['a'])
  click('b')
  expect(heard).toBe(3)
})
