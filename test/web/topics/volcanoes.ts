import type { Topic } from './topic.ts'

export const volcanoes: Topic = {
  language: 'es',
  home: {
    title: 'Cuaderno de volcanes',
    text: [
      'Un cuaderno de viajes por montañas que respiran, escrito con las botas llenas de ceniza.',
      'De cada volcán contamos la subida, las erupciones y la vida de la gente que duerme a sus pies.',
    ],
  },
  things: [
    ['Teide', 'proyecta al amanecer una sombra triangular sobre el mar'],
    ['Cotopaxi', 'lleva un sombrero de nieve que se encoge cada año'],
    ['Popocatépetl', 'tiene nombre de guerrero y humor de abuelo'],
    ['Villarrica', 'guarda un lago de lava que de noche tiñe las nubes de rojo'],
    ['Arenal', 'durmió cuatro siglos y despertó un lunes'],
    ['Misti', 'vigila una ciudad entera construida con su propia piedra blanca'],
    ['Etna', 'fuma tranquilo mientras los viñedos trepan por sus faldas'],
    ['Hekla', 'fue para los antiguos la puerta del infierno'],
    ['Masaya', 'tuvo un fraile que bajó al cráter en busca de oro y subió con azufre'],
    ['Timanfaya', 'todavía asa la comida de los visitantes con el calor de su suelo'],
    ['Paricutín', 'nació en el maizal de un campesino que lo vio crecer'],
    ['Osorno', 'se refleja entero en el lago cuando no sopla el viento'],
  ],
  aspects: [
    {
      title: 'La subida al {thing}',
      sentences: [
        'La subida al {thing} empieza de madrugada, cuando la nieve aún está dura.',
        'Son {number} horas de camino sobre arena negra que devuelve un paso de cada tres.',
        'El guía clava su bastón en el suelo y escucha antes de seguir.',
        'Arriba huele a cerillas y el viento no deja hablar.',
        'Se baja corriendo por la ceniza en una cuarta parte del tiempo.',
      ],
    },
    {
      title: 'Erupciones del {thing}',
      sentences: [
        'La última gran erupción del {thing} duró {number} días y oscureció tres provincias.',
        'Primero se secaron los pozos, después callaron los pájaros.',
        'La lava avanzaba más despacio que una persona, pero no se cansaba nunca.',
        'Los tejados cedieron bajo el peso de la ceniza mojada.',
        'Hoy los sismógrafos dibujan cada suspiro de la montaña.',
      ],
    },
    {
      title: 'Vivir junto al {thing}',
      sentences: [
        'Las tierras junto al {thing} dan dos cosechas al año y nadie quiere marcharse.',
        'En la escuela se practica la salida con campana y mochila.',
        'Las casas más viejas tienen {number} inviernos y muros de piedra pómez.',
        'El pan se cuece en hornos que aprovechan el vapor del suelo.',
        'El día de la patrona se lleva una vela hasta la primera roca caliente.',
      ],
    },
  ],
  remarks: [
    'Conviene llevar el doble de agua de la que parece necesaria.',
    'Las botas no sobreviven a la segunda visita.',
    'Un perro negro acompaña a todos los excursionistas y vuelve solo.',
    'Las fotografías nunca muestran el ruido.',
    'El museo del pueblo abre cuando alguien encuentra la llave.',
    'La piedra pómez flota, y los niños hacen barcos con ella.',
    'Por la noche se ven más estrellas que en ninguna otra parte.',
  ],
}
