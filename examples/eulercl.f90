! SPDX-License-Identifier: BSD-2-Clause
! eulercl.f90 - libeulercl for Fortran 2018, by iso_c_binding. Compile it with your program. It declares
! the part of eulercl.h that most programs need; declare other functions in the same way.
!
! Functions return a status, 0 for success; error_text describes an error. States are contiguous arrays of
! real(c_float) or real(c_double), depending on options%precision. Texts are passed to C as
! text // c_null_char.
module eulercl
    use, intrinsic :: iso_c_binding
    implicit none
    private :: text_of

    integer(c_int), parameter :: EULERCL_FLOAT = 4, EULERCL_DOUBLE = 8

    type, bind(c) :: eulercl_error
        integer(c_int32_t) :: code, cl_code
        character(kind=c_char) :: message(512), log(16384)
    end type

    ! eulercl_options_init sets these fields. Every version of the library has them in this order. eulercl.h
    ! has further fields, which keep their defaults.
    type, bind(c) :: eulercl_options
        integer(c_size_t) :: struct_size
        type(c_ptr) :: backend                     ! c_loc of a text with the attribute target, or c_null_ptr
        integer(c_int) :: precision
        real(c_double) :: t0, h
        type(c_ptr) :: method
        integer(c_int) :: stages
        real(c_double) :: flush_below
        integer(c_int64_t) :: tuning(32)           ! set by eulercl_options_set
        type(c_ptr) :: device
        integer(c_int) :: check_finite, allow_inexact
        type(c_funptr) :: observer
        type(c_ptr) :: observer_user
        integer(c_int64_t) :: observer_steps
    end type

    ! Set struct_size = c_sizeof(info) before the call.
    type, bind(c) :: eulercl_problem_info
        integer(c_size_t) :: struct_size
        type(c_ptr) :: name, title
        integer(c_int64_t) :: n, access_distance
        integer(c_int) :: rank
        integer(c_int64_t) :: extents(3)
        integer(c_int) :: components
        integer(c_size_t) :: parameters
        integer(c_int) :: has_exact, has_text, bits_guaranteed
        type(c_ptr) :: boundary
    end type

    interface
        subroutine eulercl_options_init_size(options, size) bind(c)
            import
            type(eulercl_options), intent(out) :: options
            integer(c_size_t), value :: size
        end subroutine

        integer(c_int) function eulercl_options_set(options, key, val, error) bind(c)
            import
            type(eulercl_options), intent(inout) :: options
            character(kind=c_char), intent(in) :: key(*), val(*)
            type(eulercl_error), intent(inout) :: error
        end function

        integer(c_int) function eulercl_problem_open(name_or_path, problem, error) bind(c)
            import
            character(kind=c_char), intent(in) :: name_or_path(*)
            type(c_ptr), intent(inout) :: problem
            type(eulercl_error), intent(inout) :: error
        end function
        integer(c_int) function eulercl_problem_set(problem, name, val, error) bind(c)
            import
            type(c_ptr), value :: problem
            character(kind=c_char), intent(in) :: name(*)
            real(c_double), value :: val
            type(eulercl_error), intent(inout) :: error
        end function
        integer(c_int) function eulercl_problem_set_size(problem, n, error) bind(c)
            import
            type(c_ptr), value :: problem
            integer(c_int64_t), value :: n
            type(eulercl_error), intent(inout) :: error
        end function
        integer(c_int) function eulercl_problem_get_info(problem, info, error) bind(c)
            import
            type(c_ptr), value :: problem
            type(eulercl_problem_info), intent(inout) :: info
            type(eulercl_error), intent(inout) :: error
        end function
        ! Components first .. first + count - 1; the first component is number 0.
        integer(c_int) function eulercl_problem_initial(problem, precision, first, count, y, error) bind(c)
            import
            type(c_ptr), value :: problem
            integer(c_int), value :: precision
            integer(c_int64_t), value :: first, count
            type(*), intent(inout) :: y(*)
            type(eulercl_error), intent(inout) :: error
        end function
        subroutine eulercl_problem_destroy(problem) bind(c)
            import
            type(c_ptr), value :: problem
        end subroutine

        integer(c_int) function eulercl_solver_create(problem, options, solver, error) bind(c)
            import
            type(c_ptr), value :: problem
            type(eulercl_options), intent(in) :: options
            type(c_ptr), intent(inout) :: solver
            type(eulercl_error), intent(inout) :: error
        end function
        subroutine eulercl_solver_destroy(solver) bind(c)
            import
            type(c_ptr), value :: solver
        end subroutine
        integer(c_int) function eulercl_set_initial_state(solver, error) bind(c)
            import
            type(c_ptr), value :: solver
            type(eulercl_error), intent(inout) :: error
        end function
        integer(c_int) function eulercl_set_state(solver, y, error) bind(c)
            import
            type(c_ptr), value :: solver
            type(*), intent(in) :: y(*)
            type(eulercl_error), intent(inout) :: error
        end function
        integer(c_int) function eulercl_get_state(solver, y, error) bind(c)
            import
            type(c_ptr), value :: solver
            type(*), intent(inout) :: y(*)
            type(eulercl_error), intent(inout) :: error
        end function
        integer(c_int) function eulercl_get_components(solver, first, count, y, error) bind(c)
            import
            type(c_ptr), value :: solver
            integer(c_int64_t), value :: first, count
            type(*), intent(inout) :: y(*)
            type(eulercl_error), intent(inout) :: error
        end function
        integer(c_int) function eulercl_advance(solver, steps, error) bind(c)
            import
            type(c_ptr), value :: solver
            integer(c_int64_t), value :: steps
            type(eulercl_error), intent(inout) :: error
        end function
        integer(c_int) function eulercl_advance_to(solver, t_end, last_h, error) bind(c)
            import
            type(c_ptr), value :: solver
            real(c_double), value :: t_end
            real(c_double), intent(inout) :: last_h
            type(eulercl_error), intent(inout) :: error
        end function
    end interface

contains

    subroutine eulercl_options_init(options)
        type(eulercl_options), intent(out) :: options
        call eulercl_options_init_size(options, c_sizeof(options))
    end subroutine

    ! The message, and the compiler's messages if a problem's source did not compile.
    function error_text(error) result(text)
        type(eulercl_error), intent(in) :: error
        character(:), allocatable :: text
        text = text_of(error%message)
        if (error%log(1) /= c_null_char) text = text // new_line('a') // text_of(error%log)
    end function

    function text_of(characters) result(text)
        character(kind=c_char), intent(in) :: characters(:)
        character(:), allocatable :: text
        integer :: i, length
        length = findloc(characters, c_null_char, dim=1) - 1
        allocate (character(length) :: text)
        do i = 1, length
            text(i:i) = characters(i)
        end do
    end function
end module
