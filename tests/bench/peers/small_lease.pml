/* A small lease election in integer time, for Spin (6.5.2): the same system of transitions, state
 * for state, as tests/support/small_lease.hpp, from the project's design study. 737,916 states are
 * stored with the constants of scripts/bench, 91,779 with those below.
 *
 * Three candidates, one lease with compare-and-swap. A candidate's copy is current until somebody
 * else writes; that bit stands for the comparison of versions. Whole steps are `d_step`, so that
 * Spin stores no state inside one.
 *
 *   spin -DL=7 -DD=5 -DR=2 -DF=2 -a small_lease.pml
 *   gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -m1000000
 */
#ifndef L
#define L 4                 /* lease duration */
#endif
#ifndef D
#define D 3                 /* renew deadline */
#endif
#ifndef R
#define R 1                 /* retry period; waits last R or R + 1 */
#endif
#ifndef F
#define F 1                 /* crashes */
#endif

#define NONE 0
#define SENT 1
#define ACCEPTED 2
#define REFUSED 3
#define DOWN 4

byte holder = 3;            /* 3: nobody */
byte crashes = F;
byte call[3], wait[3], record_age[3], tenure_age[3], call_age[3];
bit current[3], leads[3];

#define due(i)  (call[i] == NONE && wait[i] == 0)
#define late(i) (leads[i] && tenure_age[i] >= D)
#define open(i) (call[i] == SENT || call[i] == ACCEPTED || call[i] == REFUSED)
#define held(i) (holder != 3 && holder != i && record_age[i] < L)

#define send(i)   call[i] = SENT; call_age[i] = 0
#define follow(i) leads[i] = 0; tenure_age[i] = 0
#define look(i)   if :: current[i] -> skip :: else -> current[i] = 1; record_age[i] = 0 fi
#define outdate(i) if :: i != me -> current[i] = 0; record_age[i] = 0 :: else -> skip fi
#define age(i) \
  if :: wait[i] > 0 -> wait[i]-- :: else -> skip fi; \
  if :: current[i] && record_age[i] < L -> record_age[i]++ :: else -> skip fi; \
  if :: leads[i] && tenure_age[i] < D -> tenure_age[i]++ :: else -> skip fi; \
  if :: open(i) && call_age[i] < D -> call_age[i]++ :: else -> skip fi

active [3] proctype Candidate() {
  byte me = _pid;
  do
  :: d_step { due(me) && leads[me] && !late(me) -> send(me) }
  :: d_step { due(me) && !leads[me] -> look(me);
       if :: held(me) -> wait[me] = R :: else -> send(me) fi }
  :: d_step { due(me) && !leads[me] -> look(me);
       if :: held(me) -> wait[me] = R + 1 :: else -> send(me) fi }
  :: d_step { call[me] == SENT ->
       if
       :: current[me] -> holder = me; outdate(0); outdate(1); outdate(2); call[me] = ACCEPTED
       :: else -> call[me] = REFUSED
       fi }
  :: d_step { call[me] == ACCEPTED -> call[me] = NONE; wait[me] = R;
       if
       :: call_age[me] < D ->
            leads[me] = 1; tenure_age[me] = call_age[me];
            if :: current[me] -> record_age[me] = 0 :: else -> skip fi;
            assert(leads[0] + leads[1] + leads[2] == 1)
       :: else -> follow(me)
       fi;
       call_age[me] = 0 }
  :: d_step { call[me] == REFUSED ->
       call[me] = NONE; wait[me] = R; follow(me); call_age[me] = 0 }
  :: d_step { late(me) -> follow(me);
       if :: call[me] == NONE -> wait[me] = R :: else -> skip fi }
  :: d_step { crashes > 0 && call[me] != DOWN ->
       crashes--; call[me] = DOWN; wait[me] = 0; record_age[me] = 0; call_age[me] = 0;
       current[me] = 0; follow(me) }
  :: d_step { call[me] == DOWN -> call[me] = NONE }
  od
}

active proctype Clock() {
  do
  :: d_step { !(due(0) || due(1) || due(2) || late(0) || late(1) || late(2)) ->
       age(0); age(1); age(2) }
  od
}
