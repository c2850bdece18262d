import { Menu } from '@mantine/core'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderScreen } from '#platform/testing/testing.tsx'
import { LazyMenu } from './lazy-menu.tsx'
import { OpenMenu } from './open-menu.tsx'

const button = <button type="button">More</button>
const show = (load: () => Promise<unknown>, onRename = () => {}) =>
  renderScreen(
    <LazyMenu button={button} load={load}>
      <OpenMenu>
        <Menu.Item onClick={onRename}>Rename</Menu.Item>
      </OpenMenu>
    </LazyMenu>,
  )
const more = () => screen.getByRole('button', { name: 'More' })

describe('a lazy menu', () => {
  it('announces a menu, and loads before it is pressed', async () => {
    const load = vi.fn(async () => {})
    const { user } = await show(load)
    expect(more().getAttribute('aria-haspopup')).toBe('menu')
    expect(load).not.toHaveBeenCalled()
    await user.hover(more())
    expect(load).toHaveBeenCalled()
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('opens on the first key press, supports arrow keys, and restores focus', async () => {
    const rename = vi.fn()
    const { user } = await show(async () => {}, rename)
    await user.tab()
    await user.keyboard('{Enter}')
    const item = await screen.findByRole('menuitem', { name: 'Rename' })
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(item)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(more()))
    await user.keyboard('{Enter}')
    await user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
    expect(rename).toHaveBeenCalledOnce()
  })

  it('shows an error when it cannot load, and retries on the next press', async () => {
    let isDown = true
    const { user } = await show(async () => {
      if (isDown) throw new Error('Failed to fetch dynamically imported module')
    })
    await user.click(more())
    expect((await screen.findByRole('alert')).textContent).toContain("Couldn't load the menu")
    isDown = false
    await user.click(more())
    expect(await screen.findByRole('menuitem', { name: 'Rename' })).toBeTruthy()
  })
})
