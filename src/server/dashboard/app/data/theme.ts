import { store } from './store.ts'

export type Theme = 'system' | 'light' | 'dark'

const themes: readonly Theme[] = ['system', 'light', 'dark']
const kept = localStorage.getItem('theme') as Theme | null

export const theme = store<Theme>(kept !== null && themes.includes(kept) ? kept : 'system')

export function showTheme(): void {
  const root = document.documentElement
  if (theme.value === 'system') delete root.dataset.theme
  else root.dataset.theme = theme.value
}

/** System, light, dark, and round again. */
export function nextTheme(): void {
  theme.set(themes[(themes.indexOf(theme.value) + 1) % themes.length]!)
  localStorage.setItem('theme', theme.value)
  showTheme()
}
