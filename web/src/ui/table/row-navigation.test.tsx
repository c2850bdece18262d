import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, useRef, useState } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { useRowNavigation } from './row-navigation.ts'

/** A list whose open row comes from the URL. */
function List({ names }: { names: readonly string[] }) {
  const list = useRef<HTMLDivElement>(null)
  useRowNavigation(list)
  const [open, setOpen] = useState('')
  useEffect(() => {
    const follow = () => setOpen(location.hash)
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  return (
    <>
      <div ref={list}>
        <input aria-label="Search" data-section-search />
        {names.map((name) => (
          <a key={name} href={`#${name}`} data-row aria-current={open === `#${name}` ? 'true' : undefined}>
            {name}
          </a>
        ))}
      </div>
      <textarea aria-label="Answer" />
    </>
  )
}

const focused = () => document.activeElement?.textContent
const opened = () => screen.queryAllByRole('link', { current: true }).map((row) => row.textContent)
const leaveTheList = () => act(() => (document.activeElement as HTMLElement).blur())

beforeEach(() => {
  location.hash = ''
})

describe('j and k', () => {
  it('move through the rows without opening one, until one is open', async () => {
    const user = userEvent.setup()
    render(<List names={['a', 'b', 'c']} />)
    await user.keyboard('jj')
    expect(focused()).toBe('b')
    await user.keyboard('k')
    expect([focused(), opened()]).toEqual(['a', []])
    await user.keyboard('jjj')
    expect(focused()).toBe('c')
  })

  it('start at the first row, which arrow down reaches from the search', async () => {
    const user = userEvent.setup()
    render(<List names={['a', 'b']} />)
    await user.type(screen.getByLabelText('Search'), 'jk{ArrowDown}')
    expect(focused()).toBe('a')
    await user.keyboard('j')
    expect(focused()).toBe('b')
  })

  it('open the next record, wherever the focus is, but not while typing', async () => {
    const user = userEvent.setup()
    render(<List names={['a', 'b', 'c']} />)
    await user.click(screen.getByRole('link', { name: 'a' }))
    await expect.poll(opened).toEqual(['a'])
    await user.type(screen.getByLabelText('Answer'), 'just')
    expect(opened()).toEqual(['a'])
    leaveTheList()
    await user.keyboard('j')
    await expect.poll(opened).toEqual(['b'])
    await user.keyboard('j')
    await expect.poll(opened).toEqual(['c'])
    await user.keyboard('k')
    await expect.poll(opened).toEqual(['b'])
  })

  it.each([
    ['moved to the top', ['b', 'a', 'c', 'd']],
    ['left the list', ['a', 'c', 'd']],
  ])('continue from the old position when the open row has %s', async (_, names) => {
    const user = userEvent.setup()
    const { rerender } = render(<List names={['a', 'b', 'c', 'd']} />)
    await user.click(screen.getByRole('link', { name: 'b' }))
    await expect.poll(() => location.hash).toBe('#b')
    leaveTheList()
    rerender(<List names={names} />)
    await user.keyboard('j')
    await expect.poll(opened).toEqual(['c'])
    await user.keyboard('j')
    await expect.poll(opened).toEqual(['d'])
  })
})
