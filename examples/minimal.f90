! SPDX-License-Identifier: BSD-2-Clause
! minimal.f90 - minimal.c in Fortran.
!
!     gfortran eulercl.f90 minimal.f90 $(pkg-config --libs eulercl)
program minimal
    use, intrinsic :: iso_fortran_env, only: error_unit
    use eulercl
    implicit none
    real(c_double), allocatable :: y(:)
    character(kind=c_char, len=5), target :: backend = "auto" // c_null_char
    type(eulercl_options) :: options
    type(eulercl_problem_info) :: info
    type(eulercl_error) :: error
    type(c_ptr) :: problem = c_null_ptr, solver = c_null_ptr

    call eulercl_options_init(options)
    options%h = 1e-4_c_double
    options%backend = c_loc(backend)
    call check(eulercl_problem_open("string" // c_null_char, problem, error))
    call check(eulercl_problem_set_size(problem, 20000_c_int64_t, error))    ! the string problem: position and speed of 10000 mass points
    info%struct_size = c_sizeof(info)
    call check(eulercl_problem_get_info(problem, info, error))
    allocate (y(info%n))
    call check(eulercl_solver_create(problem, options, solver, error))
    call check(eulercl_set_initial_state(solver, error))
    call check(eulercl_advance(solver, 1000_c_int64_t, error))
    call check(eulercl_get_state(solver, y, error))
    print '(a, g0)', "the middle after 1000 steps: ", y(info%n / 2 + 1)    ! the first index is 1
    deallocate (y)
    call eulercl_solver_destroy(solver)
    call eulercl_problem_destroy(problem)

contains

    subroutine check(status)
        integer(c_int), intent(in) :: status
        if (status == 0) return
        write (error_unit, '(a)') error_text(error)
        stop status, quiet=.true.
    end subroutine
end program
