interface TabsParts {
  readonly label: string
  readonly tabs: readonly { readonly name: string; readonly href: string; readonly isCurrent: boolean }[]
}

export function Tabs({ label, tabs }: TabsParts) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, href, isCurrent }) => (
        <a key={name} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}
