// Described structs: one list of fields from which codes, dumps and decoders are made.
//
//   struct Point {
//     int x = 0, y = 0;
//     static constexpr auto fields() { return std::tuple{Field{"x", &Point::x}, Field{"y",
//     &Point::y}}; }
//   };
//
// A described struct is an aggregate at namespace level. `every_member_is_described<T>` counts its
// real members, so that a forgotten one does not compile.
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tenure {

template <class Owner, class Member>
struct Field {
  std::string_view name;
  Member Owner::*member;
};
template <class Owner, class Member>
Field(const char*, Member Owner::*) -> Field<Owner, Member>;

template <class T>
concept Described = requires {
  T::fields();
};

template <Described T>
inline constexpr std::size_t described_members = std::tuple_size_v<decltype(T::fields())>;

namespace detail {

template <class Owner>
struct AnyMember {
  template <class Member>
  requires(!std::same_as<std::remove_cvref_t<Member>, Owner>) operator Member()
      const;  // never defined: only asked whether it would convert
};

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires {
    T{(static_cast<void>(I), AnyMember<T>{})...};
  };
}

template <class T, std::size_t N = 0>
constexpr std::size_t members() {
  if constexpr (takes<T>(std::make_index_sequence<N + 1>{})) {
    return members<T, N + 1>();
  } else {
    return N;
  }
}

}  // namespace detail

template <Described T>
inline constexpr bool every_member_is_described = described_members<T> == detail::members<T>();

namespace detail {

// A constant, so that a walk over the fields reads the members and no list.
template <Described T>
inline constexpr auto field_list = T::fields();

}  // namespace detail

// Calls visit(name, value) for each field, in the order of the list.
template <class Object, class Visit>
requires Described<std::remove_cvref_t<Object>>
constexpr void for_each_field(Object&& object, Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field.name, object.*(field.member)), ...); },
             detail::field_list<std::remove_cvref_t<Object>>);
}

}  // namespace tenure
