import type { Topic } from './topic.ts'

export const cheese: Topic = {
  language: 'fr',
  home: {
    title: 'Le carnet des fromages',
    text: [
      'Un carnet tenu au fil des marchés, des caves et des alpages, avec des taches de lait sur presque toutes les pages.',
      'Pour chaque fromage on trouvera sa fabrication, son affinage et la meilleure façon de le servir à des amis.',
    ],
  },
  things: [
    ['Comté', 'garde en été le goût des fleurs et en hiver celui du foin'],
    ['Roquefort', 'mûrit dans des grottes où souffle un vent froid et humide'],
    ['Reblochon', 'vient d’une seconde traite que les bergers cachaient au propriétaire'],
    ['Brie', 'coule doucement sur la planche quand il est à point'],
    ['Munster', 'sent beaucoup plus fort qu’il n’a de goût'],
    ['Cantal', 'pèse autant qu’un enfant et vieillit mieux que lui'],
    ['Livarot', 'porte cinq bandes de jonc comme un colonel'],
    ['Ossau-Iraty', 'rappelle la noisette et se mange avec de la confiture de cerises noires'],
    ['Picodon', 'est si petit qu’on en emporte trois dans une poche'],
    ['Vacherin', 'se mange à la cuillère dans sa boîte d’épicéa'],
    ['Époisses', 'est lavé au marc et interdit dans les trains, dit-on'],
    ['Beaufort', 'a le talon creusé pour qu’une corde le tienne sur le mulet'],
  ],
  aspects: [
    {
      title: 'La fabrication du {thing}',
      sentences: [
        'Le lait du {thing} est caillé le matin même, encore tiède, dans une cuve de cuivre.',
        'On coupe le caillé en grains gros comme des pois et on remue pendant {number} minutes.',
        'Le petit-lait part nourrir les cochons, qui ne s’en plaignent jamais.',
        'La toile tirée d’un seul geste soulève toute la masse, et il faut deux paires de bras.',
        'Une presse de bois lui donne sa forme avant la nuit.',
      ],
    },
    {
      title: 'L’affinage du {thing}',
      sentences: [
        'En cave, le {thing} est retourné et frotté au sel tous les {number} jours.',
        'La croûte se forme lentement et change de couleur comme une pierre sous la pluie.',
        'Le maître affineur frappe la meule avec un petit marteau et écoute la réponse.',
        'Trop sec, le fromage se fend ; trop humide, il coule et perd son nom.',
        'Les planches d’épicéa gardent une vie invisible que personne n’ose nettoyer.',
      ],
    },
    {
      title: 'Servir le {thing}',
      sentences: [
        'Sortez le {thing} une heure avant le repas, sinon il reste muet.',
        'Un vin blanc de la même vallée lui convient mieux qu’un grand rouge.',
        'Comptez {number} grammes par personne et un peu plus pour les gourmands.',
        'Coupez-le du cœur vers le bord afin que chacun ait sa part de croûte.',
        'Du pain de seigle, quelques noix, et surtout personne de pressé autour de la table.',
      ],
    },
  ],
  remarks: [
    'Au marché, demandez toujours à goûter : le refus est mauvais signe.',
    'Les moines copiaient les recettes entre deux psaumes.',
    'Le papier d’origine respire mieux que le plastique.',
    'On dit que les vaches aiment la musique, mais les bergers préfèrent le silence.',
    'Un couteau mouillé ne colle pas à la pâte.',
    'La neige ferme la route de l’alpage jusqu’au mois de mai.',
    'Rien ne vaut le fromage mangé debout, devant la cave, avec un couteau de poche.',
  ],
}
